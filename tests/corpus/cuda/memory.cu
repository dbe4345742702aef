// State spaces: constants with initialisers, shared arrays, managed and static data, qualifiers of kernels and loads.
struct Entry {
    unsigned char tag;
    int number;
    float factors[3];
    const Entry *next;
};

__constant__ float table[8] = {0.5f, 1.25f, -3.0f, 1e-20f, 3e38f, 0, -0.0f, 1.0f / 3};
__constant__ Entry entries[3] = {{'a', 1, {1, 2, 3}, nullptr}, {'b', 2, {4}, nullptr}, {}};
__constant__ unsigned long long mask = 0xFFFF0000FFFF0000ull;
__device__ const char words[3][6] = {"alpha", "beta", "gamma"};
__device__ Entry first = {7, -1, {0.1f, 0.2f, 0.3f}, nullptr};
__device__ Entry *head = &first;
__device__ int *inside = &first.number;
__device__ double weights[1000];
__device__ __managed__ int managed_counter = 3;
__device__ volatile unsigned flag;
static __device__ short hidden[2][3] = {{1, -2, 3}, {4, 5, -6}};
__device__ float2 pairs[2] = {{1.5f, 2.5f}, {3.5f, 4.5f}};
extern __device__ int elsewhere[];

__global__ void __launch_bounds__(256, 2) bounded(float *out) {
    __shared__ double big[5000];
    __shared__ Entry records[4];
    extern __shared__ __align__(16) unsigned char dynamic[];
    big[threadIdx.x] = table[threadIdx.x & 7];
    records[threadIdx.x & 3] = entries[1];
    __syncthreads();
    float4 quad = reinterpret_cast<float4 *>(dynamic)[threadIdx.x];
    out[0] = big[255 - threadIdx.x] + records[0].factors[2] + quad.x * quad.w + weights[threadIdx.x];
    out[1] = words[threadIdx.x % 3][2] + hidden[1][threadIdx.x & 1] + pairs[1].y + head->factors[1] + *inside;
    managed_counter += 1;
    flag = unsigned(mask >> threadIdx.x) + elsewhere[2];
}

struct Matrix {
    double rows[4][4];
    int size;
};

__global__ void by_value(double *out, const __grid_constant__ Matrix matrix, Matrix other, char small, bool yes) {
    const Matrix *address = &matrix;
    out[threadIdx.x] = address->rows[threadIdx.x & 3][1] + other.rows[2][threadIdx.x & 3] + small + yes;
}

__global__ void __maxnreg__(64) limited(int *out) { out[threadIdx.x] = threadIdx.y; }

__global__ void cached(float4 *out, const float4 *in, int *words, double *doubles) {
    out[0] = __ldg(in);
    out[1] = __ldcg(in + 1);
    out[2] = __ldca(in + 2);
    out[3] = __ldcs(in + 3);
    out[4] = __ldlu(in + 4);
    out[5] = __ldcv(in + 5);
    __stwb(words, 1);
    __stcg(words + 1, 2);
    __stcs(words + 2, 3);
    __stwt(words + 3, 4);
    doubles[0] = __ldg(doubles + 3);
    words[4] = __isGlobal(in) + __isShared(out) + __isConstant(words) + __isLocal(doubles);
    words[5] = int(__cvta_generic_to_global(in)) + int(__cvta_generic_to_shared(out));
    float *p = static_cast<float *>(__builtin_assume_aligned(doubles, 16));
    __builtin_assume(words[0] > 0);
    p[words[0] % 4] = 1;
}

// One kernel body over many scalar and vector types: arithmetic, comparison, conversion, predicated code.
template <class T>
__device__ T smaller(T a, T b) { return a < b ? a : b; }

template <class T, int Step>
__global__ void stride_sum(T *out, const T *__restrict__ in, int count) {
    T sum = 0;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < count; i += Step * gridDim.x) {
        T item = in[i];
        sum += item * T(3) - smaller(item, T(7)) / T(2);
        if (item > sum) {
            sum = -sum;
        }
    }
    out[threadIdx.x] = sum;
}

template <class To, class From>
__global__ void convert(To *out, const From *in, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        out[i] = static_cast<To>(in[i]);
    }
}

template <class T>
__global__ void bits(T *out, T a, T b, int shift) {
    out[0] = a & b;
    out[1] = a | b;
    out[2] = a ^ b;
    out[3] = ~a;
    out[4] = a << shift;
    out[5] = a >> shift;
    out[6] = a % b;
    out[7] = a / b;
    out[8] = !a;
    out[9] = (a == b) + (a != b) + (a <= b) + (a >= b);
}

struct Pair {
    short left;
    float right;
};

template <class Vector>
__global__ void copy(Vector *out, const Vector *__restrict__ in, const Pair *pairs) {
    unsigned i = threadIdx.x;
    out[i] = in[i + pairs[i].left];
}

#define STRIDES(T) \
    template __global__ void stride_sum<T, 1>(T *, const T *, int); \
    template __global__ void stride_sum<T, 8>(T *, const T *, int);
STRIDES(signed char) STRIDES(unsigned char) STRIDES(short) STRIDES(unsigned short) STRIDES(int) STRIDES(unsigned)
STRIDES(long long) STRIDES(unsigned long long) STRIDES(float) STRIDES(double)

#define CONVERT(To, From) template __global__ void convert<To, From>(To *, const From *, int);
#define CONVERT_FROM(T) \
    CONVERT(signed char, T) CONVERT(unsigned char, T) CONVERT(short, T) CONVERT(unsigned short, T) CONVERT(int, T) \
    CONVERT(unsigned, T) CONVERT(long long, T) CONVERT(unsigned long long, T) CONVERT(float, T) CONVERT(double, T)
CONVERT_FROM(signed char) CONVERT_FROM(unsigned short) CONVERT_FROM(int) CONVERT_FROM(unsigned long long)
CONVERT_FROM(float) CONVERT_FROM(double)

#define BITS(T) template __global__ void bits<T>(T *, T, T, int);
BITS(signed char) BITS(unsigned char) BITS(short) BITS(unsigned short) BITS(int) BITS(unsigned) BITS(long long)
BITS(unsigned long long)

#define COPY(V) template __global__ void copy<V>(V *, const V *, const Pair *);
COPY(char2) COPY(uchar4) COPY(short2) COPY(ushort4) COPY(int2) COPY(int4) COPY(float2) COPY(float3) COPY(float4)
COPY(longlong2) COPY(double2)

// Calls through pointers: tables of functions, virtual functions, recursion, structs by value, lambdas.
#include <cstdint>

struct Wide {
    double weights[3];
    int8_t tag;
    short pad[5];
};

typedef float (*Operation)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float multiply(float a, float b) { return a * b; }
__device__ __noinline__ float power(float a, float b) { return powf(a, b); }
__device__ Operation operations[] = {add, multiply, power};
__constant__ Operation fixed_operation = multiply;

__global__ void apply(float *data, int which) {
    data[threadIdx.x] = operations[which](data[threadIdx.x], data[0]) + fixed_operation(data[1], data[2]);
}

struct Shape {
    __device__ virtual ~Shape() {}
    __device__ virtual float area(float scale) const = 0;
    __device__ virtual Wide describe(int how) { return Wide{{1.0, 2.0, 3.0}, int8_t(how), {}}; }
};
struct Circle : Shape {
    float radius;
    __device__ Circle(float r) : radius(r) {}
    __device__ float area(float scale) const override { return 3.14159f * radius * radius * scale; }
};
struct Rectangle : Shape {
    float width, height;
    __device__ Rectangle(float w, float h) : width(w), height(h) {}
    __device__ float area(float scale) const override { return width * height * scale; }
    __device__ Wide describe(int how) override {
        Wide wide = Shape::describe(how);
        wide.weights[how & 1] = width;
        return wide;
    }
};

__global__ void make_shapes(Shape **shapes, int count) {
    for (int i = 0; i < count; ++i) {
        shapes[i] = i & 1 ? static_cast<Shape *>(new Circle(i)) : new Rectangle(i, i + 1);
    }
}

__global__ void measure(float *out, Shape **shapes) {
    Shape *shape = shapes[threadIdx.x];
    out[threadIdx.x] = shape->area(2.0f) + float(shape->describe(int(threadIdx.x)).weights[1]);
    delete shape;
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ Wide twice(Wide wide, char4 by) {
    wide.weights[2] *= by.x;
    wide.pad[by.y & 3] += wide.tag;
    return wide;
}
__device__ __noinline__ void nothing(int *where) { *where += 1; }

__global__ void calls(Wide *out, const Wide in, char4 by, int n, int *counter) {
    out[threadIdx.x] = twice(in, by);
    out[0].tag = fibonacci(n);
    nothing(counter);
}

template <class F>
__device__ __noinline__ int fold(int count, F f) {
    int sum = 0;
    for (int i = 0; i < count; ++i) {
        sum += f(i);
    }
    return sum;
}

__global__ void lambdas(int *out, int n) {
    out[0] = fold(n, [=](int i) { return i * n; }) + fold(n, [&](int i) { return out[i]; });
}

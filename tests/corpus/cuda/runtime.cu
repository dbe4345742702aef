// What needs the device runtime: printf, assert, malloc and free, trap, clocks, memcpy and memset, alloca-like arrays.
#include <cassert>
#include <cstdio>
#include <cstring>

struct Record {
    int id;
    double value;
    char name[13];
};

__global__ void report(const int *data, double scale, const char *label) {
    printf("no argument\n");
    printf("%d of %s: %f %c %llx\n", data[threadIdx.x], label, scale * data[0], 'x', 123456789012345ull);
    assert(data[threadIdx.x] > 0 && "positive");
    if (data[1] == 0) {
        __trap();
    }
    __brkpt();
}

__global__ void heap(Record **out, int count) {
    Record *records = static_cast<Record *>(malloc(sizeof(Record) * count));
    if (records == nullptr) {
        return;
    }
    memset(records, 0, sizeof(Record) * count);
    Record local;
    memcpy(&local, records + 1, sizeof(Record));
    local.id = count;
    memcpy(records, &local, sizeof(Record));
    out[0] = records;
    free(out[1]);
}

__global__ void clocks(long long *out) {
    long long start = clock64();
    unsigned now = clock();
    __nanosleep(100);
    out[0] = clock64() - start + now;
    unsigned lane, sm;
    unsigned long long timer;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(timer));
    out[1] = lane + sm + timer;
    __prof_trigger(3);
}

__global__ void local_array(int *out, int n, const int *order) {
    int stack[64];
    double matrix[4][4];
    for (int i = 0; i < n; ++i) {
        stack[order[i] & 63] = i;
        matrix[i & 3][order[i] & 3] = i * 0.25;
    }
    out[0] = stack[n & 63] + int(matrix[n & 3][n >> 2 & 3]);
}

extern "C" __global__ void plain_name(volatile int *flag, volatile double *out) {
    while (*flag == 0) {
    }
    *out = *out + 1.0;
}

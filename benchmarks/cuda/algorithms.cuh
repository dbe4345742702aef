// Device-wide algorithms of cub, instantiated over a type: the bulk of what real CUDA libraries compile to.
#pragma once
#include <cub/cub.cuh>

template <class Key>
void sort_keys(void *scratch, size_t &size, const Key *in, Key *out, int count) {
    cub::DeviceRadixSort::SortKeys(scratch, size, in, out, count);
}

template <class Key, class Value>
void sort_pairs(void *scratch, size_t &size, const Key *in, Key *out, const Value *from, Value *to, int count) {
    cub::DeviceRadixSort::SortPairsDescending(scratch, size, in, out, from, to, count);
}

template <class Item>
void reduce(void *scratch, size_t &size, const Item *in, Item *out, int count) {
    cub::DeviceReduce::Sum(scratch, size, in, out, count);
    cub::DeviceReduce::Min(scratch, size, in, out, count);
    cub::DeviceReduce::ArgMax(scratch, size, in, out, reinterpret_cast<long long *>(out + 1), count);
}

template <class Item>
void scan(void *scratch, size_t &size, const Item *in, Item *out, int count) {
    cub::DeviceScan::ExclusiveSum(scratch, size, in, out, count);
    cub::DeviceScan::InclusiveSum(scratch, size, in, out, count);
}

template <class Item>
struct Positive {
    __host__ __device__ bool operator()(const Item &item) const { return item > Item(0); }
};

template <class Item>
void select(void *scratch, size_t &size, const Item *in, Item *out, int *found, int count) {
    cub::DeviceSelect::If(scratch, size, in, out, found, count, Positive<Item>{});
    cub::DeviceSelect::Unique(scratch, size, in, out, found, count);
    cub::DeviceRunLengthEncode::Encode(scratch, size, in, out, found, found + 1, count);
}

template <class Sample>
void histogram(void *scratch, size_t &size, const Sample *samples, int *bins, Sample low, Sample high, int count) {
    cub::DeviceHistogram::HistogramEven(scratch, size, samples, bins, 257, low, high, count);
}

template <class Item>
struct Less {
    __host__ __device__ bool operator()(const Item &a, const Item &b) const { return a < b; }
};

template <class Item>
void merge_sort(void *scratch, size_t &size, Item *items, int count) {
    cub::DeviceMergeSort::SortKeys(scratch, size, items, count, Less<Item>{});
}

// cub: radix sort of keys and of pairs.
#include <cub/device/device_radix_sort.cuh>

void sort(void *scratch, size_t &size, const unsigned *in, unsigned *out, int count) {
    cub::DeviceRadixSort::SortKeys(scratch, size, in, out, count);
}

void sort(void *scratch, size_t &size, const double *in, double *out, const short *from, short *to, int count) {
    cub::DeviceRadixSort::SortPairsDescending(scratch, size, in, out, from, to, count);
}

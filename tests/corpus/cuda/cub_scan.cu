// cub: scan, reduce and select over the whole device.
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

void scan(void *scratch, size_t &size, const float *in, float *out, int count) {
    cub::DeviceScan::InclusiveSum(scratch, size, in, out, count);
}

void total(void *scratch, size_t &size, const double *in, double *out, int count) {
    cub::DeviceReduce::Sum(scratch, size, in, out, count);
}

void distinct(void *scratch, size_t &size, const short *in, short *out, int *found, int count) {
    cub::DeviceSelect::Unique(scratch, size, in, out, found, count);
}

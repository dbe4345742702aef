// Texture and surface objects: all shapes, element types, gathers, levels, gradients, boundary modes.
template <class T>
__global__ void sample(T *out, cudaTextureObject_t texture, float x, float y, float z) {
    out[0] = tex1D<T>(texture, x);
    out[1] = tex2D<T>(texture, x, y);
    out[2] = tex3D<T>(texture, x, y, z);
    out[3] = tex1DLayered<T>(texture, x, 3);
    out[4] = tex2DLayered<T>(texture, x, y, 2);
    out[5] = texCubemap<T>(texture, x, y, z);
    out[6] = texCubemapLayered<T>(texture, x, y, z, 1);
    out[7] = tex1DLod<T>(texture, x, z);
    out[8] = tex2DLod<T>(texture, x, y, z);
    out[9] = tex3DLod<T>(texture, x, y, z, 0.5f);
    out[10] = tex2DGrad<T>(texture, x, y, make_float2(x, y), make_float2(y, x));
    out[11] = tex1Dfetch<T>(texture, threadIdx.x);
    out[12] = tex3DGrad<T>(texture, x, y, z, make_float4(x, y, z, 0), make_float4(z, y, x, 0));
    out[13] = tex2DLayeredLod<T>(texture, x, y, 4, z);
}
template __global__ void sample<float>(float *, cudaTextureObject_t, float, float, float);
template __global__ void sample<float4>(float4 *, cudaTextureObject_t, float, float, float);
template __global__ void sample<int2>(int2 *, cudaTextureObject_t, float, float, float);
template __global__ void sample<unsigned char>(unsigned char *, cudaTextureObject_t, float, float, float);

__global__ void gather(float4 *out, cudaTextureObject_t texture, float x, float y) {
    out[0] = tex2Dgather<float4>(texture, x, y, 0);
    out[1] = tex2Dgather<float4>(texture, x, y, 3);
    bool resident = false;
    out[2] = tex2D<float4>(texture, x, y, &resident);
    out[3].x = resident;
}

template <class T>
__global__ void surface(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int x, int y, int z) {
    surf1Dwrite(surf1Dread<T>(from, x * int(sizeof(T))), to, x, cudaBoundaryModeTrap);
    surf2Dwrite(surf2Dread<T>(from, x, y, cudaBoundaryModeClamp), to, x, y, cudaBoundaryModeZero);
    surf3Dwrite(surf3Dread<T>(from, x, y, z, cudaBoundaryModeZero), to, x, y, z, cudaBoundaryModeClamp);
    surf1DLayeredwrite(surf1DLayeredread<T>(from, x, z), to, x, z);
    surf2DLayeredwrite(surf2DLayeredread<T>(from, x, y, z), to, x, y, z);
    surfCubemapwrite(surfCubemapread<T>(from, x, y, 4), to, x, y, 5);
}
template __global__ void surface<unsigned char>(cudaSurfaceObject_t, cudaSurfaceObject_t, int, int, int);
template __global__ void surface<short2>(cudaSurfaceObject_t, cudaSurfaceObject_t, int, int, int);
template __global__ void surface<float>(cudaSurfaceObject_t, cudaSurfaceObject_t, int, int, int);
template __global__ void surface<uint4>(cudaSurfaceObject_t, cudaSurfaceObject_t, int, int, int);
template __global__ void surface<longlong2>(cudaSurfaceObject_t, cudaSurfaceObject_t, int, int, int);

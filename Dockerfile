# Checks the PTX in a folder: docker run --rm --volume "$PWD:/work" ptx-ls
FROM python:3.13.9-slim-trixie AS build
# The compiler makes the scanner of large files; its version does not matter.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --wheel-dir /wheels .

FROM python:3.13.9-slim-trixie
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index /wheels/*.whl \
    && useradd --create-home --uid 10001 ptx
USER 10001
WORKDIR /work
ENTRYPOINT ["ptx-ls"]
CMD ["lint"]

"""Makes the PTX of the kernels: python3 ptx.py, in this folder, after pip install nvidia-cuda-nvrtc-cu12==12.0.140.

NVRTC is NVIDIA's compiler as a library; it needs no card. Version 12.0 writes PTX that every driver since 525 takes, and
compute_70 is for every card since Volta. The first line of the PTX names its source, and a test compares the two.
"""

import ctypes
import gzip
import os
import sys

OPTIONS = [b"--gpu-architecture=compute_70"]


def library():
    import nvidia.cuda_nvrtc

    folder = os.path.join(list(nvidia.cuda_nvrtc.__path__)[0], "lib")
    ctypes.CDLL(os.path.join(folder, "libnvrtc-builtins.so.12.0"), mode=ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(os.path.join(folder, "libnvrtc.so.12"))


def compile(nvrtc, source, options):
    """The PTX of a source, or an exit with the compiler's messages."""
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"kernel.cu", 0, None, None)
    failed = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))

    def text(size, get):
        length = ctypes.c_size_t()
        size(program, ctypes.byref(length))
        buffer = ctypes.create_string_buffer(length.value)
        get(program, buffer)
        return buffer.value

    if failed:
        sys.exit(text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog).decode())
    return text(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX)


def fingerprint(source):
    """FNV-1a."""
    number = 0xCBF29CE484222325
    for byte in source:
        number = (number ^ byte) * 0x100000001B3 % 2**64
    return number


def main():
    nvrtc = library()
    with open("tables.cuh", "rb") as file:
        shared = file.read()
    for name in ["search", "beam", "build"]:
        with open(f"{name}.cu", "rb") as file:
            source = file.read().replace(b'#include "tables.cuh"\n', shared)
        ptx = b"// %s.cu %016x\n" % (name.encode(), fingerprint(source))
        ptx += compile(nvrtc, source, OPTIONS + [option.encode() for option in sys.argv[1:]])
        with open(f"{name}.ptx.gz", "wb") as file:
            file.write(gzip.compress(ptx, 9, mtime=0))


main()

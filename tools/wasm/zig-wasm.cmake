# For CMAKE_TOOLCHAIN_FILE: the core in WebAssembly, by the compiler of the package `ziglang`. Its version
# decides about every byte of the result and is pinned in pyproject.toml (group `wasm`). FOURCAST_ZIG is the
# program; `make wasm` finds it.
cmake_path(SET fourcast_root NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES FOURCAST_ZIG)
set(CMAKE_C_COMPILER "${FOURCAST_ZIG}" cc)
set(CMAKE_CXX_COMPILER "${FOURCAST_ZIG}" c++)
foreach(language C CXX)
  # What CMake would find out by linking a program, for which zig would compile its whole C++ library.
  set(CMAKE_${language}_COMPILER_ID_RUN ON)
  set(CMAKE_${language}_COMPILER_ID Clang)
  set(CMAKE_${language}_COMPILER_VERSION 22)
  set(CMAKE_${language}_COMPILER_FRONTEND_VARIANT GNU)
  set(CMAKE_${language}_STANDARD_COMPUTED_DEFAULT 17)
  set(CMAKE_${language}_EXTENSIONS_COMPUTED_DEFAULT ON)
  set(CMAKE_${language}_ARCHIVE_CREATE "\"${FOURCAST_ZIG}\" ar crD <TARGET> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_APPEND "\"${FOURCAST_ZIG}\" ar rD <TARGET> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "")
  # No path of this machine gets into the result.
  set(CMAKE_${language}_FLAGS_INIT "-target wasm32-wasi -mcpu=generic+exception_handling+simd128 \
-fwasm-exceptions -mllvm -wasm-use-legacy-eh=true -g0 -fno-sanitize=all -fvisibility=hidden \
-ffile-prefix-map=${fourcast_root}=")
endforeach()

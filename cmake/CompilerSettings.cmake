set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

# What runs for every request is compiled with -O3 (HOT below). The rest reads, prints and asks that; optimising it took a
# third of a clean build and gave nothing that can be measured.
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")

# With -DCMAKE_UNITY_BUILD=ON, as the presets for clean builds have it, the sources of a target are compiled several at a
# time: their headers are read once. A name in an anonymous namespace then has to be the only one of its folder.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 24 CACHE STRING "Sources that a unity build compiles together")

option(SATURN_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
option(SATURN_COVERAGE "Coverage counters" OFF)

# Every target of ours is compiled with these; third-party headers come in as system headers and stay silent.
add_library(saturn_settings INTERFACE)
target_include_directories(saturn_settings INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(saturn_settings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                                                 -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Werror)
# GCC 12 sees overlapping, overflowing and out-of-bounds copies in `"text" + std::string` (its bug 105651), all the more
# where the standard headers are precompiled, and uses of unset variables in the alternatives of a `std::variant` and in
# the sanitizers' own checks (its bugs 80635, 105562), so that these warnings say nothing.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(saturn_settings INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
                                                   -Wno-stringop-overread -Wno-maybe-uninitialized)
endif()
# GCC looks for memory to use again each time that it has grown by a third, a tenth of its time in files as large as those
# of a unity build; these take up to 1.6 GB.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_UNITY_BUILD)
  target_compile_options(saturn_settings INTERFACE "SHELL:--param ggc-min-heapsize=1000000" "SHELL:--param ggc-min-expand=200")
endif()
# Clang counts as shadowed what another file of a unity build has outside its functions; other builds check each file.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_UNITY_BUILD)
  target_compile_options(saturn_settings INTERFACE -Wno-shadow)
endif()
# No fused multiply-add behind our back: a seed must mean the same bytes with every optimisation level.
target_compile_options(saturn_settings INTERFACE -ffp-contract=off)
if(SATURN_SANITIZE)
  # A null pointer that is used ends the program anyway, and the address sanitizer says where; to check each one, and its
  # alignment, would take a third of the compile time.
  target_compile_options(saturn_settings INTERFACE -fsanitize=address,undefined -fno-sanitize=null,alignment,vptr
                                                   -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(saturn_settings INTERFACE -fsanitize=address,undefined)
  # Some thirty programs with all that the sanitizers add: GNU's linker takes four times as long.
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld SATURN_HAS_LLD)
  if(SATURN_HAS_LLD)
    target_link_options(saturn_settings INTERFACE -fuse-ld=lld)
  endif()
  target_compile_definitions(saturn_settings INTERFACE SATURN_SANITIZED)
endif()
if(SATURN_COVERAGE)
  target_compile_options(saturn_settings INTERFACE --coverage)
  target_link_options(saturn_settings INTERFACE --coverage)
endif()

# saturn_library(NAME [HOT] SOURCES... [PUBLIC libs...] [PRIVATE libs...]): one folder of the house.
function(saturn_library name)
  cmake_parse_arguments(ARG "HOT" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC saturn_settings ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  if(ARG_HOT)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O3> $<$<CONFIG:RelWithDebInfo>:-O1>)
    # GCC inlines members that other files could call only where they are tiny: an event passes through a dozen of them.
    # What happens rarely in them is kept out of line by attributes (cold, noinline): it made every event save registers.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      set(inline_more --param=max-inline-insns-auto=300 --param=inline-unit-growth=200 --param=large-function-growth=400)
      target_compile_options(${name} PRIVATE "$<$<CONFIG:Release>:${inline_more}>")
    endif()
    saturn_standard_headers(${name} saturn_models)
  else()
    saturn_standard_headers(${name} saturn_scenarios)
  endif()
endfunction()

# Precompiled once for all targets that are optimised alike, as GCC demands; `owner` compiles them.
function(saturn_standard_headers name owner)
  if(name STREQUAL owner)
    target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/standard_headers.hpp)
  else()
    target_precompile_headers(${name} REUSE_FROM ${owner})
  endif()
endfunction()

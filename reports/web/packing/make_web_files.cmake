# Runs at every build: brings the bundles where they are wanted and missing, and writes the table of embedded files anew
# where one of them changed. cmake -DSOURCE=reports/web -DOUT=folder -DWANTED=ON|OFF -P make_web_files.cmake
cmake_minimum_required(VERSION 3.25)

set(bundles ${OUT}/bundles)
set(packages ${OUT}/packages)

# In `why`: why there are no bundles, with the way out; empty when they are there.
function(bring_bundles why)
  set(${why} "" PARENT_SCOPE)
  set(key "")
  foreach(file package.json package-lock.json packing/pack.mjs)
    file(SHA256 ${SOURCE}/${file} hash)
    string(APPEND key "${hash}\n")
  endforeach()
  if(EXISTS ${bundles}/key)
    file(READ ${bundles}/key brought)
    if(brought STREQUAL key)
      return()
    endif()
  endif()
  file(REMOVE_RECURSE ${bundles})

  # The search path alone: a program elsewhere is not one that the user wants.
  find_program(npm npm NO_CACHE NO_DEFAULT_PATH PATHS ENV PATH)
  find_program(node node NO_CACHE NO_DEFAULT_PATH PATHS ENV PATH)
  if(NOT npm OR NOT node)
    set(${why} "npm or node is not on the PATH. Install them (Debian: apt install nodejs npm) and build again." PARENT_SCOPE)
    return()
  endif()
  file(MAKE_DIRECTORY ${packages})
  file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json ${SOURCE}/.npmrc DESTINATION ${packages})
  message("-- npm brings the bundles that draw figures (reports/web/package-lock.json)")
  execute_process(
    COMMAND ${npm} ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
            --prefer-offline --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=5000
    WORKING_DIRECTORY ${packages} TIMEOUT 300 RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    string(STRIP "${output}" output)
    set(${why} "`npm ci` failed (${failed}):\n${output}\n   It needs a connection to an npm registry; then build again."
        PARENT_SCOPE)
    return()
  endif()
  file(MAKE_DIRECTORY ${bundles})
  execute_process(COMMAND ${node} ${SOURCE}/packing/pack.mjs ${packages} ${bundles}
                  RESULT_VARIABLE failed ERROR_VARIABLE output)
  if(failed)
    set(${why} "node could not take the bundles out of their packages:\n${output}" PARENT_SCOPE)
    file(REMOVE_RECURSE ${bundles})
    return()
  endif()
  file(WRITE ${bundles}/key "${key}")
endfunction()

function(write_table)
  file(GLOB files ${SOURCE}/*.css ${SOURCE}/*.js ${SOURCE}/*.mjs ${bundles}/*.js ${bundles}/*.txt)
  list(SORT files COMPARE FILE_BASENAME)
  set(SATURN_WEB_PARTS "")
  set(SATURN_WEB_ROWS "")
  list(LENGTH files SATURN_WEB_COUNT)
  set(index 0)
  foreach(file IN LISTS files)
    get_filename_component(name ${file} NAME)
    # Whoever compiles this file sees that an embedded one changed.
    file(SHA256 ${file} hash)
    string(REGEX REPLACE "([\\\\\"])" "\\\\\\1" path "${file}")
    set(label "saturn_web_${index}")
    string(APPEND SATURN_WEB_PARTS
      "// ${hash}\n"
      "asm(R\"saturn~(.pushsection .rodata.${label},\"a\",@progbits\n"
      ".balign 8\n"
      "${label}: .incbin \"${path}\"\n"
      "${label}_end: .balign 8\n"
      "${label}_size: .quad ${label}_end - ${label}\n"
      ".popsection)saturn~\");\n"
      "extern \"C\" const char ${label}[];\n"
      "extern \"C\" const std::uint64_t ${label}_size;\n")
    string(APPEND SATURN_WEB_ROWS "      {\"${name}\", {${label}, ${label}_size}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${OUT}/web_files.cpp.new CONTENT "${template}" @ONLY)
  file(COPY_FILE ${OUT}/web_files.cpp.new ${OUT}/web_files.cpp ONLY_IF_DIFFERENT)
endfunction()

if(WANTED)
  bring_bundles(why)
  if(why)
    message("-- This saturn will draw no figures in reports: ${why}\n"
            "   Everything else works; -DSATURN_WEB=OFF does without figures and without this message.")
  endif()
else()
  file(REMOVE_RECURSE ${bundles})
endif()
file(READ ${SOURCE}/packing/web_files.cpp.in template)
write_table()

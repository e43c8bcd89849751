# find_package(portamento) gives
#   portamento::portamento   what to link: the static library, nothing to copy beside your program
#   portamento::shared       the shared library instead
get_filename_component(_portamento "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET portamento::portamento)
  add_library(portamento::portamento STATIC IMPORTED)
  set_target_properties(portamento::portamento PROPERTIES
    IMPORTED_LOCATION "${_portamento}/lib/libportamento_c.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_portamento}/include"
    INTERFACE_LINK_LIBRARIES "m;pthread;dl")

  add_library(portamento::shared SHARED IMPORTED)
  set_target_properties(portamento::shared PROPERTIES
    IMPORTED_LOCATION "${_portamento}/lib/libportamento_c.so"
    IMPORTED_NO_SONAME TRUE
    INTERFACE_INCLUDE_DIRECTORIES "${_portamento}/include")
endif()

unset(_portamento)

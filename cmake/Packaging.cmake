# What `cpack -G "DEB;TGZ"` makes of an installed tree: scripts/test-packages.sh builds both and tries them.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME saturn-planner)
set(CPACK_PACKAGE_VENDOR "The saturn authors")
set(CPACK_PACKAGE_CONTACT "The saturn authors <saturn@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Simulator and capacity planner of ML inference as a service")
set(CPACK_PACKAGE_DESCRIPTION "How many CPU jobs one GPU can serve, what saturates first, what next, and what it costs:
 by formulas, mean value analysis and a discrete-event simulation of clients,
 networks and batching Triton servers.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# The libraries that the program is linked with, by their packages; figures as files need two programs more.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nodejs, librsvg2-bin")
include(CPack)

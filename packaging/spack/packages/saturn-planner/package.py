from pathlib import Path

from spack.package import *


class SaturnPlanner(CMakePackage):
    """Simulator and capacity planner of ML inference as a service in high-energy physics."""

    # The checkout that this recipe lies in: packaging/spack/packages/saturn-planner/package.py
    git = Path(__file__).resolve().parents[4].as_uri()

    license("Apache-2.0")

    version("main", branch="main")

    variant("tests", default=False, description="Build the tests")
    variant("figures", default=True, description="Embed what draws the figures of reports")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("node-js", type="build", when="+figures")
    depends_on("npm", type="build", when="+figures")
    depends_on("boost@1.74:")
    depends_on("cli11")
    depends_on("eigen@3.4:")
    depends_on("expat")
    depends_on("fmt")
    depends_on("muparser")
    depends_on("nlohmann-json")
    depends_on("openssl")
    depends_on("protobuf@3:")
    depends_on("random123")
    depends_on("simgrid@3.32")
    depends_on("sqlite@3:")
    depends_on("doctest", when="+tests")

    generator("ninja")
    conflicts("%gcc@:11", msg="C++20 as GCC 12 has it")

    def cmake_args(self):
        return [
            self.define_from_variant("SATURN_TESTS", "tests"),
            self.define("SATURN_BENCH", False),
            self.define("CMAKE_UNITY_BUILD", True),  # as the release preset does
        ]

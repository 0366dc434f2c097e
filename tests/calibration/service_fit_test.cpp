#include "tests/calibration/synthetic.hpp"

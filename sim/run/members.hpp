#pragma once

/// The members of a plain struct, in their order, without a list of them: a member that is added to the struct is
/// there.

namespace saturn {

/// Calls take(first member, second member, ...) once. There are as many as the struct can be made of.
/// @param value  an aggregate of 2 to 16 members
template <class T, class Take>
void with_members(T& value, Take&& take) {
  static_assert(
      !requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }, "more than 16 members");
  if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
    take(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
    take(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
    take(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
    take(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    take(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    take(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    take(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    take(a, b, c, d, e, f, g, h, i);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g, h] = value;
    take(a, b, c, d, e, f, g, h);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f, g] = value;
    take(a, b, c, d, e, f, g);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e, f] = value;
    take(a, b, c, d, e, f);
  } else if constexpr (requires { T{{}, {}, {}, {}, {}}; }) {
    auto& [a, b, c, d, e] = value;
    take(a, b, c, d, e);
  } else if constexpr (requires { T{{}, {}, {}, {}}; }) {
    auto& [a, b, c, d] = value;
    take(a, b, c, d);
  } else if constexpr (requires { T{{}, {}, {}}; }) {
    auto& [a, b, c] = value;
    take(a, b, c);
  } else if constexpr (requires { T{{}, {}}; }) {
    auto& [a, b] = value;
    take(a, b);
  }
}

}  // namespace saturn

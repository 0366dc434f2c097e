// Owns the precompiled headers of all tests. The test program's main cannot: it includes doctest in another way.

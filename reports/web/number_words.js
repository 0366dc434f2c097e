"use strict";
// Numbers as the rest of the report prints them, in the unit that reads best.
const saturnNumbers = (() => {
  const timeUnits = [["s", 1], ["ms", 1e3], ["us", 1e6]];
  const rateUnits = [["Gbps", 8e-9], ["Mbps", 8e-6], ["kbps", 8e-3]];

  function shown(value, digits = 4) {
    if (value === null || value === undefined || Number.isNaN(value)) return "–";
    if (!Number.isFinite(value)) return "no limit";
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-4 || size >= 1e12)) return String(Number(value.toPrecision(digits)));
    return value.toLocaleString("en", {
      maximumSignificantDigits: Math.max(digits, size >= 1 ? Math.floor(Math.log10(size)) + 1 : 1),
    });
  }

  // The coarsest unit in which the number is at least 1; the finest where it never is.
  function unitFor(value, units) {
    return units.find(([, factor]) => Math.abs(value) * factor >= 1) || (value === 0 ? units[0] : units[units.length - 1]);
  }

  function inUnit(value, units, digits) {
    if (value === null || !Number.isFinite(value)) return shown(value, digits);
    const [name, factor] = unitFor(value, units);
    return `${shown(value * factor, digits)} ${name}`;
  }

  return {
    shown,
    unitFor,
    timeUnits,
    rateUnits,
    time: (seconds, digits = 4) => inUnit(seconds, timeUnits, digits),
    percent: (fraction) => `${shown(fraction * 100, 3)} %`,
  };
})();
if (typeof module !== "undefined") module.exports = saturnNumbers;

// Runs before the first paint, so that a chosen theme does not flash the other one.
try {
  const theme = JSON.parse(localStorage.getItem("fourcast.theme"));
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Nothing is kept: the system's theme it is.
}

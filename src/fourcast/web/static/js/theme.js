// Runs before the first paint, so that the chosen theme and colors do not flash in after others.
try {
  const root = document.documentElement;
  const theme = JSON.parse(localStorage.getItem("fourcast.theme") ?? "null");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  if (JSON.parse(localStorage.getItem("fourcast.colors") ?? "null") === "blue") {
    root.dataset.colors = "blue";
  }
} catch {
  // Nothing is kept: the system's theme, and the usual colors.
}

import { skyColours } from "../../shared/sky-colours.ts";
import { skyTextVariables, skyVariables } from "../ui/sky-variables.ts";

/**
 * Sets the sky's CSS variables for the reader's current time, and updates them every minute. It runs in the
 * head of the page, so that the first paint of a prerendered page already has the final colours.
 */
function paint() {
  const now = new Date();
  const { style, dataset } = document.documentElement;
  const colours = skyColours(now);
  const variables = { ...skyVariables(now, colours), ...skyTextVariables(colours) };
  for (const [name, value] of Object.entries(variables)) style.setProperty(name, String(value));
  dataset.sky = variables["--sky-text"] === "#ffffff" ? "dark" : "light";
}

paint();
setInterval(paint, 60_000);

import { skyColours } from "../shared/sky-colours.ts";
import { skyTextVariables, skyVariables } from "./ui/sky-variables.ts";

/**
 * Gives the page the sky of the reader's hour, and renews it every minute. The build puts this script into the head of
 * index.html: prerendered pages are painted first as they stay.
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

import { type SkyColours, skyColours, textOnSky } from "../../shared/sky-colours.ts";
import { lightOf } from "../../shared/sky-scene.ts";

/** CSS variables of a sky by name. */
export type Variables = Record<`--sky-${string}`, string | number>;

/** Returns the CSS variables of a sky that depend on the time. The shapes of hills, clouds and stars do not. */
export function skyVariables(moment: Date, colours = skyColours(moment)): Variables {
  const { bands, glow, cloud, hills, darkness } = colours;
  const [{ kind, x, y, phase }, tall] = [lightOf(moment), lightOf(moment, true)];
  const sun = kind === "sun";
  // The terminator is half an ellipse that bends with the phase.
  const bulge = Math.cos(phase * Math.PI * 2);
  return {
    ...numbered("band", bands),
    ...numbered("hill", hills),
    "--sky-glow": glow,
    "--sky-cloud": cloud,
    "--sky-clouds": rounded(1 - darkness * 0.45),
    "--sky-stars": rounded(Math.max(0, darkness - 0.3) / 0.7),
    "--sky-x": `${x}%`,
    "--sky-y": `${y}%`,
    "--sky-tall-x": `${tall.x}%`,
    "--sky-tall-y": `${tall.y}%`,
    "--sky-sun": sun ? 1 : 0,
    "--sky-moon": sun ? 0 : 1,
    "--sky-moon-side": phase < 0.5 ? 1 : -1,
    "--sky-moon-bulge": rounded(Math.abs(bulge)),
    "--sky-moon-middle": bulge > 0 ? "#000" : "#fff",
  };
}

/** Returns the CSS variables for text on a sky: its colour and a veil behind it. */
export function skyTextVariables(colours: SkyColours): Variables {
  const { colour, veil, veilOpacity } = textOnSky(colours);
  const alpha = Math.round(veilOpacity * 255);
  return { "--sky-text": colour, "--sky-veil": veil + alpha.toString(16).padStart(2, "0") };
}

const rounded = (value: number) => Math.round(value * 100) / 100;

const numbered = (name: string, colours: string[]): Variables =>
  Object.fromEntries(colours.map((colour, i) => [`--sky-${name}-${i}`, colour]));

interface Palette {
  page: string;
  card: string;
  ink: string;
  soft: string;
  line: string;
  button: string;
  onButton: string;
  wash: string;
  /** From the zenith to the horizon. */
  sky: [string, string, string, string];
}

/** The light theme. */
export const day: Palette = {
  page: "#fbf8f2",
  card: "#fffdf9",
  ink: "#1d2b36",
  soft: "#53616c",
  line: "#e6dfd2",
  button: "#0d6660",
  onButton: "#ffffff",
  wash: "#e0f3f0",
  sky: ["#8ac6e6", "#b4dbea", "#dcebe6", "#fde8c0"],
};

/** The dark theme, for devices in dark mode. */
export const night: Palette = {
  page: "#0d1626",
  card: "#16233a",
  ink: "#eef1ee",
  soft: "#aebac8",
  line: "#2a3950",
  button: "#7fd6cb",
  onButton: "#06231f",
  wash: "#17383f",
  sky: ["#091129", "#12214a", "#22386a", "#5f4f80"],
};

export const gradient = ({ sky }: Palette) => `linear-gradient(180deg, ${sky.join(", ")})`;

import { useEffect, useRef } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";

interface PlotProps {
  /** How each point is called. */
  labels: readonly string[];
  now: readonly (number | null)[];
  /** The period before, point by point. */
  before: readonly (number | null)[];
  text: (value: number) => string;
  /** What the axis reaches at least, so that nothing is not drawn as a mountain. */
  least: number;
}

const HEIGHT = 160;

/** The colour that a token has in the theme that is shown. */
const colour = (token: string) => getComputedStyle(document.documentElement).getPropertyValue(token).trim();

/** Two lines over the same points: this period, and dashed the one before. A table beside it says the same in words. */
export function Plot({ labels, now, before, text, least }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const texts = useRef({ labels, text });
  texts.current = { labels, text };
  // What is drawn, as one value, so that a new array of the same numbers draws nothing anew.
  const data = JSON.stringify([now.map((_value, index) => index), now, before]);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const axis = { stroke: () => colour("--ink-soft"), grid: { stroke: () => colour("--line"), width: 1 } };
    const font = `12px ${getComputedStyle(element).fontFamily}`;
    const plot = new UPlot(
      {
        ...{ width: element.clientWidth, height: HEIGHT, legend: { show: false }, padding: [8, 12, 0, 0] },
        cursor: { y: false, drag: { x: false, y: false } },
        scales: { x: { time: false }, y: { range: (_plot, _least, most) => [0, Math.max(least, most * 1.05)] } },
        axes: [
          {
            ...{
              ...axis,
              font,
              grid: { show: false },
              ticks: { show: false },
              size: 30,
              space: 70,
              incrs: [1, 2, 5, 7, 10],
            },
            values: (_plot, points) => points.map((point) => texts.current.labels[point] ?? ""),
          },
          {
            ...{ ...axis, font, ticks: { show: false }, size: 62, space: 40 },
            values: (_plot, values) => values.map((value) => texts.current.text(value)),
          },
        ],
        series: [
          {},
          { stroke: () => colour("--deep"), fill: () => `${colour("--deep")}22`, width: 2, points: { show: false } },
          { stroke: () => colour("--ink-soft"), width: 1.5, dash: [4, 4], points: { show: false } },
        ],
      },
      JSON.parse(data) as UPlot.AlignedData,
      element,
    );
    const sized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    sized.observe(element);
    const themed = new MutationObserver(() => plot.redraw());
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      sized.disconnect();
      themed.disconnect();
      plot.destroy();
    };
  }, [data, least]);
  return <div ref={place} aria-hidden className="min-w-0 overflow-hidden" style={{ height: HEIGHT }} />;
}

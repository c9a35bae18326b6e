import { Link2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../ui/class-names.ts";
import { ProductPicture } from "../../ui/ProductPicture.tsx";
import { Progress } from "../../ui/Progress.tsx";
import { Sky } from "../../ui/Sky.tsx";
import { QrPicture } from "./QrPicture.tsx";

/** Drawn scenes in place of photos in the pictures of the product. */
const scenes = {
  cover: { moment: new Date(2025, 5, 14, 19, 40), seed: "rose" },
  photos: [
    { moment: new Date(2024, 6, 2, 9), seed: "garden" },
    { moment: new Date(2023, 9, 12, 17), seed: "harvest" },
    { moment: new Date(2024, 0, 20, 13), seed: "snow" },
    { moment: new Date(2022, 7, 9, 20, 35), seed: "beach" },
    { moment: new Date(2024, 3, 6, 7), seed: "walk" },
    { moment: new Date(2023, 7, 10, 23), seed: "stars" },
  ],
} as const;

const steps = [
  { key: "make", Picture: MakePicture },
  { key: "share", Picture: SharePicture },
  { key: "open", Picture: OpenPicture },
] as const;

/** How Skies works in three steps, each with a picture. */
export function Steps() {
  const { t } = useTranslation("home");
  return (
    <section aria-labelledby="how" className="grid gap-12">
      <h2 id="how" className="text-center font-serif text-3xl sm:text-4xl">
        {t("steps.title")}
      </h2>
      <ol className="m-0 grid list-none gap-14 p-0 lg:grid-cols-3 lg:gap-8">
        {steps.map(({ key, Picture }, i) => (
          <li key={key} className="mx-auto grid w-full max-w-md content-start gap-6">
            <Picture />
            <div className="grid gap-2 px-1">
              <h3 className="flex items-baseline gap-3 font-serif text-2xl">
                <span aria-hidden="true" className="text-deep">
                  {i + 1}
                </span>
                {t(`steps.${key}.title`)}
              </h3>
              <p className="text-ink-soft">{t(`steps.${key}.text`)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A picture of creating a memory. */
function MakePicture() {
  const { t } = useTranslation("home");
  const make = (key: "label" | "name" | "dates" | "progress") => t(`pictures.make.${key}`);
  return (
    <Picture label={make("label")}>
      <div className="grid grid-rows-[1fr_auto_auto] gap-4 rounded-2xl bg-raised p-3 shadow-lifted">
        <div className="overflow-hidden rounded-xl">
          <Sky moment={scenes.cover.moment} seed={scenes.cover.seed} stars={6} />
        </div>
        <div className="px-1">
          <p className="font-serif text-2xl leading-tight">{make("name")}</p>
          <p className="text-sm text-ink-soft">{make("dates")}</p>
        </div>
        <div className="grid gap-2">
          <div className="grid grid-cols-4 gap-2">
            {scenes.photos.slice(0, 4).map((scene, i) => (
              <div
                key={scene.seed}
                className="aspect-square overflow-hidden rounded-lg"
                style={{ opacity: i === 3 ? 0.45 : 1 }}
              >
                <Sky moment={scene.moment} seed={scene.seed} />
              </div>
            ))}
          </div>
          <Progress value={0.78} label={make("progress")} />
        </div>
      </div>
    </Picture>
  );
}

/** A picture of a memory on a phone. */
function OpenPicture() {
  const { t } = useTranslation("home");
  return (
    <Picture label={t("pictures.open.label")} className="place-items-start justify-center pb-0!">
      <ProductPicture name="day" className="w-52 rounded-[1.9rem]! border-[5px]! border-ink! sm:w-56" />
    </Picture>
  );
}

const PIN = ["4", "0", "7", "2"];

/** A picture of sharing: QR code, link and PIN. */
function SharePicture() {
  const { t } = useTranslation("home");
  return (
    <Picture label={t("pictures.share.label")}>
      <div className="grid content-center justify-items-center gap-4 rounded-2xl bg-raised p-4 shadow-lifted">
        <div className="w-2/5 rounded-xl border border-line bg-white p-2.5">
          <QrPicture />
        </div>
        <p className="flex max-w-full items-center gap-2 rounded-full bg-wash px-4 py-2 text-sm font-semibold text-deep">
          <Link2 aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{t("pictures.share.link")}</span>
        </p>
        <div className="flex items-center gap-2">
          <span className="pe-1 text-sm text-ink-soft">PIN</span>
          {PIN.map((digit) => (
            <span
              key={digit}
              className="grid size-10 place-content-center rounded-lg border border-edge font-serif text-lg"
            >
              {digit}
            </span>
          ))}
        </div>
      </div>
    </Picture>
  );
}

interface PictureProps {
  /** The picture's alternative text. */
  label: string;
  children: ReactNode;
  className?: string;
}

/** The frame of a picture, which is drawn with real components. */
function Picture({ label, children, className }: PictureProps) {
  return (
    <div
      role="img"
      aria-label={label}
      className={classNames(
        "pointer-events-none relative grid h-96 overflow-hidden rounded-3xl border border-line bg-sunken p-5 select-none sm:p-6",
        className,
      )}
    >
      {children}
    </div>
  );
}

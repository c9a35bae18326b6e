import { useTranslation } from "react-i18next";
import { Progress } from "../../ui/Progress.tsx";
import { Sky } from "../../ui/Sky.tsx";
import { Picture } from "./Picture.tsx";
import { scenes } from "./scenes.ts";

/** A memory while it is made: cover, name, dates, photos on their way. */
export function MakePicture() {
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

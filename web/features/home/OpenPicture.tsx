import { useTranslation } from "react-i18next";
import { classNames } from "../../ui/class-names.ts";
import { Sky } from "../../ui/Sky.tsx";
import { Picture } from "./Picture.tsx";
import { scenes } from "./scenes.ts";

/** A memory as it opens on somebody's phone. */
export function OpenPicture() {
  const { t } = useTranslation("home");
  return (
    <Picture label={t("pictures.open.label")} className="place-items-start justify-center pb-0!">
      <div className="h-[125%] w-52 overflow-hidden rounded-[1.9rem] border-[5px] border-ink bg-paper shadow-lifted sm:w-56">
        <div className="relative grid h-44 content-end overflow-hidden">
          <Sky moment={scenes.cover.moment} seed={scenes.cover.seed} stars={6} className="absolute inset-0" />
          <div className="relative bg-linear-to-t from-night/85 px-4 pt-10 pb-3 text-white">
            <p className="font-serif text-xl leading-tight">{t("pictures.make.name")}</p>
            <p className="text-sm">{t("pictures.make.dates")}</p>
          </div>
        </div>
        <p className="px-4 py-3 font-serif text-sm leading-snug">{t("pictures.open.story")}</p>
        <div className="grid grid-cols-3 gap-1 px-1">
          {scenes.photos.slice(0, 4).map((scene, i) => (
            <div key={scene.seed} className={classNames("h-18 overflow-hidden", (i === 0 || i === 3) && "col-span-2")}>
              <Sky moment={scene.moment} seed={scene.seed} />
            </div>
          ))}
        </div>
      </div>
    </Picture>
  );
}

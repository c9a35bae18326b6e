import { useTranslation } from "react-i18next";
import { MakePicture } from "./MakePicture.tsx";
import { OpenPicture } from "./OpenPicture.tsx";
import { SharePicture } from "./SharePicture.tsx";

const steps = [
  { key: "make", Picture: MakePicture },
  { key: "share", Picture: SharePicture },
  { key: "open", Picture: OpenPicture },
] as const;

/** How it works, in three steps, each with a picture of the product. */
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

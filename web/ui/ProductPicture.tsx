import { useTranslation } from "react-i18next";
import { classNames } from "./class-names.ts";

/** Width and height of each picture's files, in pixels. */
const SIZES = { memory: [1440, 855], phone: [520, 896], photos: [1440, 855], gate: [520, 896] } as const;

interface ProductPictureProps {
  name: keyof typeof SIZES;
  className?: string;
}

/**
 * A screenshot of the product in the reader's language and theme, taken by `npm run pictures`. Only the visible theme's
 * picture is fetched.
 */
export function ProductPicture({ name, className }: ProductPictureProps) {
  const { t, i18n } = useTranslation("common");
  const [width, height] = SIZES[name];
  return (["light", "dark"] as const).map((theme) => (
    <img
      key={theme}
      src={`/pictures/${name}.${i18n.resolvedLanguage}.${theme}.webp`}
      width={width}
      height={height}
      alt={t(`pictures.${name}`)}
      loading="lazy"
      decoding="async"
      className={classNames(
        "h-auto max-w-full rounded-3xl border border-line shadow-lifted",
        theme === "dark" ? "hidden dark:block" : "dark:hidden",
        className,
      )}
    />
  ));
}

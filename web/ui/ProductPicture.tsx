import { useTranslation } from "react-i18next";
import { classNames } from "./class-names.ts";

/** Width and height of the files, in pixels. */
const WIDE = [1440, 855] as const;
const PHONE = [520, 896] as const;
const SIZES = { memory: WIDE, photos: WIDE, story: WIDE, phone: PHONE, day: PHONE, life: PHONE, gate: PHONE };

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

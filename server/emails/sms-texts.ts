import type { SmsName, SmsProps } from "./email-props.ts";
import type { Language } from "./language.ts";

/** Every text message by name. Each fits into one segment of 160 characters. */
const texts: { [Name in SmsName]: Record<Language, (props: SmsProps[Name]) => string> } = {
  "phone-code": {
    en: ({ code, minutes }) =>
      `${code} is your Skies code. It works once, for ${minutes} minutes. Do not share it with anyone.`,
    it: ({ code, minutes }) =>
      `${code} è il tuo codice Skies. Vale una volta, per ${minutes} minuti. Non darlo a nessuno.`,
  },
};

export const isSmsName = (name: string): name is SmsName => Object.hasOwn(texts, name);

export const smsText = <Name extends SmsName>(name: Name, language: Language, props: SmsProps[Name]): string =>
  texts[name][language](props);

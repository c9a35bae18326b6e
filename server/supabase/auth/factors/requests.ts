import { z } from "zod";
import { RequestError } from "../../../../shared/request-error.ts";
import { invalid, optionalText, uuidInPath } from "../bodies.ts";
import { checkPhone } from "../logins.ts";

export const EnrolBody = z.object({
  factor_type: optionalText,
  friendly_name: z.string().trim().max(100).nullish(),
  // No colon: authenticator apps use one to separate the issuer from the account.
  issuer: z
    .string()
    .max(100)
    .regex(/^[^:\p{Cc}]*$/u)
    .nullish(),
  phone: optionalText,
});

export type Enrolment = { name: string } & (
  | { type: "totp"; issuer: string | undefined }
  | { type: "phone"; phone: string }
);

export function readEnrolment({ factor_type, friendly_name, issuer, phone }: z.output<typeof EnrolBody>): Enrolment {
  const name = friendly_name ?? "";
  if (factor_type === "totp") return { type: "totp", name, issuer: issuer || undefined };
  if (factor_type === "phone") {
    if (!phone) throw invalid("Phone number required to enroll Phone factor");
    return { type: "phone", name, phone: checkPhone(phone) };
  }
  if (factor_type === "webauthn") {
    throw new RequestError("mfa_webauthn_enroll_not_enabled");
  }
  throw invalid("factor_type needs to be totp or phone");
}

export const AnswerBody = z
  .object({ challenge_id: z.guid(), code: z.string().max(20) })
  .transform(({ challenge_id, code }) => {
    // People copy codes with the space that their app shows in the middle.
    const digits = code.replaceAll(/\s/g, "");
    if (!digits) throw invalid("Code needs to be non-empty");
    return { challengeId: challenge_id, code: digits };
  });

export const FactorParams = z.object({ factorId: uuidInPath("factor_id") });

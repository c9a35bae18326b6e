/** The error message for a link or code that was used, under the hosted platform's code `otp_expired`. */
export const USED_TOKEN = "Email link or code has already been used";

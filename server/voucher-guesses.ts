/** Twenty wrong voucher codes in ten minutes are enough for whoever mistypes one, and too few to find one. */
export const voucherGuesses = {
  allowance: 20,
  seconds: 600,
  isWrong: (body: string) => body.includes("Invalid voucher code"),
};

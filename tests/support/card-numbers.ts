/** The card numbers of the sandbox's payment page, by their effect. */
export const CARD_NUMBERS = {
  pays: "4242 4242 4242 4242",
  declined: "4000 0000 0000 0002",
  late: "4000 0000 0000 1000",
  twice: "4000 0000 0000 2000",
  backwards: "4000 0000 0000 3000",
  slow: "4000 0000 0000 4000",
  fails: "4000 0000 0000 5000",
  challenged: "4000 0000 0000 3220",
  challengeFails: "4000 0000 0000 6000",
};

/** The moments painted where the pictures of the product show photos. */
export const scenes = {
  cover: { moment: new Date(2025, 5, 14, 19, 40), seed: "rose" },
  photos: [
    { moment: new Date(2024, 6, 2, 9), seed: "garden" },
    { moment: new Date(2023, 9, 12, 17), seed: "harvest" },
    { moment: new Date(2024, 0, 20, 13), seed: "snow" },
    { moment: new Date(2022, 7, 9, 20, 35), seed: "beach" },
    { moment: new Date(2024, 3, 6, 7), seed: "walk" },
    { moment: new Date(2023, 7, 10, 23), seed: "stars" },
  ],
} as const;

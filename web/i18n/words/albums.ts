import en from "../en/albums.json";
import it from "../it/albums.json";
import { addWords } from "../resources.ts";

addWords("albums", { en, it });

import en from "../en/gallery.json";
import it from "../it/gallery.json";
import { addWords } from "../resources.ts";

addWords("gallery", { en, it });

import en from "../en/profile.json";
import it from "../it/profile.json";
import { addWords } from "../resources.ts";

addWords("profile", { en, it });

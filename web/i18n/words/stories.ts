import en from "../en/stories.json";
import it from "../it/stories.json";
import { addWords } from "../resources.ts";

addWords("stories", { en, it });

import en from "../en/albums.json";
import it from "../it/albums.json";
import { addNamespace } from "../resources.ts";

addNamespace("albums", { en, it });

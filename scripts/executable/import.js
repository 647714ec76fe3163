/** Imports a module of the program, for the loader of the single executable, which cannot. */
export const importModule = (url) => import(url);

import * as fs from 'node:fs';
import * as path from 'node:path';

/** real returns the target of a path, in the letter case of the disk; the path itself if it does not exist. */
function real(file: string): string {
  try {
    return fs.realpathSync.native(file);
  } catch {
    return path.resolve(file);
  }
}

/** isWithin reports whether a path, or what it links to, is a directory or in it. */
function isWithin(file: string, directory: string): boolean {
  const below = (from: string, to: string) => {
    const way = path.relative(from, to);
    return way !== '..' && !way.startsWith('..' + path.sep) && !path.isAbsolute(way);
  };
  return below(path.resolve(directory), path.resolve(file)) || below(real(directory), real(file));
}

/**
 * searchable returns the directories of a PATH in which no workspace can put a program: an entry
 * that is relative or empty means the current directory, one in a folder of the workspace or in
 * a node_modules belongs to the repository that is open.
 */
export function searchable(PATH: string, folders: string[]): string[] {
  return PATH.split(path.delimiter).filter(directory =>
    path.isAbsolute(directory) &&
    !path.resolve(directory).split(path.sep).includes('node_modules') &&
    !folders.some(folder => isWithin(directory, folder)));
}

/** isProgram reports whether a file exists and may be run. */
export function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return path.isAbsolute(file) && fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The name of the program. On Windows only an .exe counts: a .cmd needs a shell, which would parse its arguments again. */
const name = process.platform === 'win32' ? 'mcplumb.exe' : 'mcplumb';

/** bundled returns the program that came with the extension, undefined if it has none. */
export function bundled(extension: string): string | undefined {
  const file = path.join(extension, 'bin', name);
  return isProgram(file) ? file : undefined;
}

/** find returns mcplumb in the first of the directories that has it outside the workspace. */
export function find(directories: string[], folders: string[]): string | undefined {
  return directories
    .map(directory => path.join(directory, name))
    .find(file => isProgram(file) && !folders.some(folder => isWithin(file, folder)));
}

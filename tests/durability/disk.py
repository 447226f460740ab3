"""A disk as a loss of power leaves it: replays what strace recorded of a process, and keeps only what was synced.

The rules are the strictest that POSIX allows. Bytes last once an fsync of their file, begun after they were written,
has ended. A name lasts once an fsync of its directory has; so a new directory's own name needs one of its parent.
"""
import codecs
import re

CALLS = "openat,write,writev,pwrite64,pwritev,lseek,ftruncate,fsync,fdatasync,sendto,sendmsg,?mkdir,?rename,renameat,renameat2,?unlink"

LINE = re.compile(rb"(\d+) +(.*)", re.S)
CALL = re.compile(rb"(\w+)\((.*)\) += (-?\d+)(.*)", re.S)
RESUMED = re.compile(rb"<\.\.\. \w+ resumed>(.*)", re.S)
DESCRIPTOR = re.compile(rb"(\d+)<([^>]*)>")
STRING = re.compile(rb'"((?:[^"\\]|\\.)*)"(\.\.\.)?', re.S)


class File:
    def __init__(self):
        self.bytes, self.synced, self.synced_at = bytearray(), b"", 0


class Folder:
    def __init__(self):
        self.names, self.synced, self.synced_at = {}, {}, 0


class Call:
    def __init__(self, name, arguments, result):
        self.name, self.arguments, self.result = name, arguments, result
        found = DESCRIPTOR.match(arguments)
        self.descriptor = int(found[1]) if found else None
        self.target = found[2].decode() if found else ""

    def strings(self):
        """The texts among the arguments, as bytes. None may have been cut short."""
        found = list(STRING.finditer(self.arguments))
        assert not any(text[2] for text in found), "the record is cut: raise strace's -s"
        return [codecs.escape_decode(text[1])[0] for text in found]


def calls(record):
    """Yields ("begin", call) and ("end", call) in the order of the record; a call's result is there at its end."""
    begun = {}
    for line in record:
        thread, rest = LINE.match(line.rstrip(b"\n")).groups()
        if rest.startswith((b"+++", b"---")):
            continue
        resumed = RESUMED.match(rest)
        if resumed:
            call, text = begun.pop(thread)
            whole = CALL.match(text + resumed[1])
            if whole:
                call.arguments, call.result = whole[2], int(whole[3])
                yield "end", call
            continue
        unfinished = rest.endswith(b"<unfinished ...>")
        whole = CALL.match(rest if not unfinished else rest[: -len(b"<unfinished ...>")] + b") = 0")
        if not whole:
            continue
        call = Call(whole[1].decode(), whole[2], int(whole[3]))
        yield "begin", call
        if unfinished:
            begun[thread] = (call, rest[: -len(b"<unfinished ...>")])
        else:
            yield "end", call


class Disk:
    """Everything below one directory, which is there from the beginning."""

    def __init__(self, root):
        self.root, self.top, self.open = root, Folder(), {}
        self.syncing, self.begun = {}, 0

    def place(self, path):
        """The folder that a path's last name is in, and that name; none for a path outside."""
        if not path.startswith(self.root + "/"):
            return None, None
        *folders, name = path[len(self.root) + 1 :].split("/")
        folder = self.top
        for step in folders:
            folder = folder.names[step]
        return folder, name

    def begin(self, call):
        """Notes what an fsync that begins now makes durable once it has ended."""
        opened = self.open.get(call.descriptor)
        if call.name in ("fsync", "fdatasync") and opened and call.target.startswith(self.root):
            node = opened[0]
            self.begun += 1
            lasting = dict(node.names) if isinstance(node, Folder) else bytes(node.bytes)
            self.syncing[call] = (node, lasting, self.begun)

    def end(self, call):
        """Carries out a call that has ended. True if it made something durable."""
        synced = self.syncing.pop(call, None)
        if call.result < 0:
            return False
        if synced:
            node, lasting, begun = synced
            # Of two that overlap, the later one may end first.
            if begun > node.synced_at:
                node.synced, node.synced_at = lasting, begun
            return True
        if call.name == "openat":
            self.opened(call)
        elif call.name in ("mkdir", "unlink", "rename", "renameat", "renameat2"):
            self.renamed(call)
        elif call.descriptor in self.open and call.target.startswith(self.root):
            self.written(call)
        return False

    def opened(self, call):
        path = call.strings()[0].decode()
        self.open.pop(call.result, None)
        if path == self.root:
            self.open[call.result] = [self.top, 0]
            return
        folder, name = self.place(path)
        if folder is None:
            return
        if name not in folder.names:
            folder.names[name] = File()
        if b"O_TRUNC" in call.arguments:
            folder.names[name].bytes.clear()
        self.open[call.result] = [folder.names[name], 0]

    def renamed(self, call):
        paths = [text.decode() for text in call.strings()]
        folder, name = self.place(paths[0])
        if folder is None:
            return
        if call.name == "mkdir":
            folder.names[name] = Folder()
        elif call.name.startswith("rename"):
            other, new = self.place(paths[1])
            other.names[new] = folder.names.pop(name)
        else:
            del folder.names[name]

    def written(self, call):
        opened = self.open[call.descriptor]
        node = opened[0]
        number = lambda at: int(call.arguments.split(b", ")[at])
        if call.name == "lseek":
            opened[1] = call.result
        elif call.name == "ftruncate":
            del node.bytes[number(-1) :]
            node.bytes.extend(bytes(number(-1) - len(node.bytes)))
        elif call.name in ("write", "writev", "pwrite64", "pwritev"):
            data = b"".join(call.strings())[: call.result]
            at = number(-1) if call.name.startswith("p") else opened[1]
            node.bytes.extend(bytes(max(0, at - len(node.bytes))))
            node.bytes[at : at + len(data)] = data
            opened[1] = at + len(data) if not call.name.startswith("p") else opened[1]

    def names(self, folder=None):
        """The last names of all files as the system has them now, which it may write before it is asked to."""
        found = set()
        for name, node in (folder or self.top).names.items():
            found |= self.names(node) if isinstance(node, Folder) else {name}
        return found

    def synced_files(self, folder=None):
        """The files that a loss of power leaves, by their last name."""
        found = {}
        for name, node in (folder or self.top).synced.items():
            if isinstance(node, Folder):
                found.update(self.synced_files(node))
            else:
                found[name] = node
        return found

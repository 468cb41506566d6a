package address

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/tools"
	"marvin/tools/internal/box"
)

// These limits protect against archive bombs.
const (
	mostUnpacked = 256 << 20 // maximum unpacked size of a member, or of a whole gzip or bzip2 file
	mostMembers  = 100_000   // examined members
	mostListed   = 2000      // listed members
)

var errTooMuch = fmt.Errorf("its unpacked content is larger than the limit of %d MB", mostUnpacked>>20)

// packing is a file format such as zip or SQLite.
type packing uint8

const (
	unpacked packing = iota
	zipped
	gzipped
	bzipped
	tarred
	database
)

func packingOf(head []byte) packing {
	switch {
	case bytes.HasPrefix(head, []byte("PK")):
		return zipped
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return gzipped
	case bytes.HasPrefix(head, []byte("BZh")):
		return bzipped
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return tarred
	case bytes.HasPrefix(head, []byte("SQLite format 3\x00")):
		return database
	}
	return unpacked
}

// Packed reports whether a file is an archive, a compressed file or a database. Packed needs the
// file's first 512 bytes, or all bytes of a shorter file.
func Packed(head []byte) bool { return packingOf(head) != unpacked }

// openArchive opens a member of an archive, or lists the members.
func (a Address) openArchive(file *box.File, as packing) (Source, error) {
	name := strings.TrimPrefix(path.Clean("/"+a.Rest), "/") // name has no ".." elements
	switch as {
	case zipped:
		return a.zipped(file, name)
	case gzipped:
		content, err := gzip.NewReader(file)
		if err != nil {
			return Source{}, fmt.Errorf("%s is damaged: %w", a.File, err)
		}
		return a.stream(file, content, name)
	case bzipped:
		return a.stream(file, bzip2.NewReader(file), name)
	case tarred:
		return a.tarred(file, file, name)
	case unpacked, database:
	}
	return Source{}, tools.Advise(fmt.Errorf("%s is not an archive or database that Marvin can read", a.File), "Marvin reads zip, tar, tar.gz, tar.bz2, gz, bz2 and SQLite. To read the file itself, leave %q out.", memberSeparator+a.Rest)
}

func (a Address) zipped(file *box.File, name string) (Source, error) {
	archive, err := zip.NewReader(file, file.Info.Size())
	if err != nil {
		return Source{}, fmt.Errorf("%s is a damaged zip archive: %w", a.File, err)
	}
	if len(archive.File) > mostMembers {
		return Source{}, fmt.Errorf("%s has %d members, more than the limit of %d", a.File, len(archive.File), mostMembers)
	}
	list := members{archive: a.File}
	for _, one := range archive.File {
		at := strings.TrimPrefix(path.Clean("/"+one.Name), "/")
		if name == "" || !one.FileInfo().Mode().IsRegular() || at != name {
			list.add(at, int64(min(one.UncompressedSize64, 1<<62)), one.FileInfo().IsDir())
			continue
		}
		content, err := one.Open()
		if err != nil {
			return Source{}, fmt.Errorf("%s in %s cannot be unpacked: %w", name, a.File, err)
		}
		return Source{ReadCloser: opened{bounded(content), []io.Closer{content, file}}, Size: -1}, nil
	}
	return list.memberList(name, file)
}

// stream opens a compressed tar archive or a single compressed file.
func (a Address) stream(file *box.File, from io.Reader, name string) (Source, error) {
	reader := bufio.NewReaderSize(bounded(from), 64<<10)
	head, err := reader.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return Source{}, fmt.Errorf("%s cannot be unpacked: %w", a.File, err)
	}
	if packingOf(head) == tarred {
		return a.tarred(file, reader, name)
	}
	return Source{ReadCloser: opened{reader, []io.Closer{file}}, Size: -1}, nil
}

func (a Address) tarred(file *box.File, from io.Reader, name string) (Source, error) {
	archive := tar.NewReader(from)
	list := members{archive: a.File}
	for range mostMembers {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return list.memberList(name, file)
		}
		if err != nil {
			return Source{}, fmt.Errorf("%s cannot be unpacked: %w", a.File, err)
		}
		at := strings.TrimPrefix(path.Clean("/"+header.Name), "/")
		if name != "" && at == name && header.Typeflag == tar.TypeReg {
			return Source{ReadCloser: opened{bounded(archive), []io.Closer{file}}, Size: header.Size}, nil
		}
		list.add(at, header.Size, header.Typeflag == tar.TypeDir)
	}
	return Source{}, fmt.Errorf("%s has more members than the limit of %d", a.File, mostMembers)
}

// members collects the names of at most mostListed files in an archive.
type members struct {
	archive string
	lines   []string
	names   []string
	count   int
}

func (m *members) add(name string, size int64, dir bool) {
	m.count++
	if dir || len(m.names) >= mostListed {
		return
	}
	m.names = append(m.names, name)
	m.lines = append(m.lines, fmt.Sprintf("%10d  %s", size, tools.Visible(name)))
}

// memberList lists the members if name is empty. Otherwise, the error says that the archive has no
// such file, and suggests similar members.
func (m *members) memberList(name string, file io.Closer) (Source, error) {
	if name == "" {
		text := fmt.Sprintf("%s has %s (size in bytes, name):\n%s\n", m.archive, messages.Counted(m.count, "member"), strings.Join(m.lines, "\n"))
		if m.count > len(m.lines) {
			text += fmt.Sprintf("[directories, and files beyond the first %d, are not listed]\n", mostListed)
		}
		source := textSource(m.archive, text)
		source.Members = m.names
		return source, file.Close()
	}
	near := lists.Filter(m.names, func(one string) bool { return strings.HasPrefix(one, name+"/") || path.Base(one) == path.Base(name) })
	slices.Sort(near)
	advice := fmt.Sprintf("%s%s lists them.", m.archive, memberSeparator)
	if len(near) > 0 {
		advice = "There are: " + tools.Visible(strings.Join(near[:min(len(near), 20)], ", ")) + ". " + advice
	}
	return Source{}, tools.Advise(fmt.Errorf("%s has no file %q", m.archive, name), "%s", advice)
}

// opened is a reader for a member. Its Close method also closes the archive.
type opened struct {
	io.Reader
	closers []io.Closer
}

func (o opened) Close() error {
	var all error
	for _, one := range o.closers {
		all = errors.Join(all, one.Close())
	}
	return all
}

// bounded returns a reader that fails with errTooMuch after mostUnpacked bytes.
func bounded(r io.Reader) io.Reader { return &bound{r: r, left: mostUnpacked} }

type bound struct {
	r    io.Reader
	left int
}

func (b *bound) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, errTooMuch
	}
	n, err := b.r.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

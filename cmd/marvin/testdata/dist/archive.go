package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// file is one of an archive.
type file struct {
	name    string // with slashes
	content []byte
	program bool
}

// files are what an archive holds, by name.
func (r *release) files(program string, licenses []byte) ([]file, error) {
	list := []file{{name: "LICENSES.txt", content: licenses}}
	add := func(name, path string) error {
		content, err := os.ReadFile(path)
		list = append(list, file{name, content, path == program})
		return err
	}
	if err := add(filepath.Base(program), program); err != nil {
		return nil, err
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"} {
		if err := add(name, name); err != nil {
			return nil, err
		}
	}
	below := func(top, dir string) error {
		return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			name, err := filepath.Rel(dir, path)
			return cmp.Or(err, add(top+"/"+filepath.ToSlash(name), path))
		})
	}
	err := below("docs", "docs")
	if r.with != "" {
		err = cmp.Or(err, below("share", r.with))
	}
	slices.SortFunc(list, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	return list, err
}

func (f file) mode() int64 {
	if f.program {
		return 0o755
	}
	return 0o644
}

func writeTar(top string, files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	archive := tar.NewWriter(packed)
	for _, file := range files {
		header := &tar.Header{Name: top + "/" + file.name, Size: int64(len(file.content)), Mode: file.mode(), ModTime: at, Typeflag: tar.TypeReg, Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := archive.Write(file.content); err != nil {
			return nil, err
		}
	}
	err = cmp.Or(archive.Close(), packed.Close())
	return out.Bytes(), err
}

func writeZip(top string, files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, file := range files {
		header := &zip.FileHeader{Name: top + "/" + file.name, Method: zip.Deflate, Modified: at}
		header.SetMode(fs.FileMode(file.mode()))
		member, err := archive.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := member.Write(file.content); err != nil {
			return nil, err
		}
	}
	err := archive.Close()
	return out.Bytes(), err
}

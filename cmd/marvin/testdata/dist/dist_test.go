package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// One system and a small program, which is this one: twice, with other clocks, places
// and file times around it.
func TestARunAgainGivesTheSameBytes(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "..", ".."))
	t.Setenv("SOURCE_DATE_EPOCH", "1700000001")
	outs := [2]string{t.TempDir(), t.TempDir()}
	for i, out := range outs {
		t.Setenv("TMPDIR", t.TempDir())
		with := t.TempDir()
		if err := os.MkdirAll(filepath.Join(with, "man", "man1"), 0o700); err != nil {
			t.Fatal(err)
		}
		page := filepath.Join(with, "man", "man1", "marvin.1")
		if err := os.WriteFile(page, []byte(".TH MARVIN\n"), fs.FileMode(0o600+0o44*i)); err != nil {
			t.Fatal(err)
		}
		r := release{version: "0.0.1", pkg: "./cmd/marvin/testdata/dist", out: out, with: with}
		if err := r.build([]string{runtime.GOOS + "/" + runtime.GOARCH}); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(outs[0])
	if err != nil || len(entries) != 3 {
		t.Fatalf("%v, %v", entries, err)
	}
	content := map[string][]byte{}
	for _, entry := range entries {
		first, err := os.ReadFile(filepath.Join(outs[0], entry.Name()))
		second, again := os.ReadFile(filepath.Join(outs[1], entry.Name()))
		if err != nil || again != nil || !bytes.Equal(first, second) {
			t.Errorf("%s differs (%v, %v)", entry.Name(), err, again)
		}
		content[filepath.Ext(entry.Name())] = first
	}
	for _, name := range []string{".gz", ".json"} {
		if !strings.Contains(string(content[""]), fmt.Sprintf("%x  marvin-0.0.1-", sha256.Sum256(content[name]))) {
			t.Errorf("the sum of %s is not in\n%s", name, content[""])
		}
	}
	checkTar(t, content[".gz"])
	checkBill(t, content[".json"], content[".gz"])
}

func checkTar(t *testing.T, content []byte) {
	unpacked, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for archive := tar.NewReader(unpacked); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		_, name, _ := strings.Cut(header.Name, "/")
		names = append(names, name)
		if want := (file{program: name == "marvin"}).mode(); header.Mode != want || !header.ModTime.Equal(time.Unix(1700000000, 0)) {
			t.Errorf("%s: mode %o, time %s", name, header.Mode, header.ModTime)
		}
		if text, _ := io.ReadAll(archive); name == "LICENSES.txt" && !strings.Contains(string(text), "github.com/google/uuid, LICENSE") {
			t.Errorf("licenses: %.300s", text)
		}
	}
	for _, want := range []string{"marvin", "LICENSE", "LICENSES.txt", "SECURITY.md", "docs/configuration.md", "share/man/man1/marvin.1"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not in %q", want, names)
		}
	}
}

func checkBill(t *testing.T, text, archive []byte) {
	var bill struct {
		BomFormat, SpecVersion string
		Metadata               struct {
			Timestamp string
			Component component
		}
		Components   []component
		Dependencies []struct{ DependsOn []string }
	}
	if err := json.Unmarshal(text, &bill); err != nil {
		t.Fatal(err)
	}
	if bill.BomFormat != "CycloneDX" || bill.SpecVersion != "1.5" || bill.Metadata.Timestamp != "2023-11-14T22:13:20Z" {
		t.Errorf("%s %s of %s", bill.BomFormat, bill.SpecVersion, bill.Metadata.Timestamp)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(archive)); len(bill.Metadata.Component.Hashes) != 1 || bill.Metadata.Component.Hashes[0].Content != sum {
		t.Errorf("made of %+v, not %s", bill.Metadata.Component, sum)
	}
	found := slices.IndexFunc(bill.Components, func(c component) bool { return c.Name == "github.com/google/uuid" })
	if len(bill.Components) != 2 || found != 1 || !strings.HasPrefix(bill.Components[1].PURL, "pkg:golang/github.com/google/uuid@v1.") || len(bill.Components[1].Properties) != 1 {
		t.Fatalf("components %+v", bill.Components)
	}
	if !slices.Equal(bill.Dependencies[0].DependsOn, []string{bill.Components[0].Ref, bill.Components[1].Ref}) {
		t.Errorf("dependencies %+v", bill.Dependencies)
	}
}

func TestZipForWindows(t *testing.T) {
	at := time.Unix(1700000000, 0).UTC()
	content, err := writeZip("top", []file{{"marvin.exe", []byte("program"), true}, {"docs/a.md", []byte("page"), false}}, at)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil || len(archive.File) != 2 {
		t.Fatal(err)
	}
	if program := archive.File[0]; program.Name != "top/marvin.exe" || program.Mode() != 0o755 || !program.Modified.Equal(at) {
		t.Errorf("%s %s %s", program.Name, program.Mode(), program.Modified)
	}
}

func TestAVersionIsNeeded(t *testing.T) {
	for _, version := range []string{"", "a b", "../x", "v'"} {
		if err := (&release{version: version, out: t.TempDir()}).build(nil); err == nil || !strings.Contains(err.Error(), "make dist VERSION=") {
			t.Errorf("%q: %v", version, err)
		}
	}
}

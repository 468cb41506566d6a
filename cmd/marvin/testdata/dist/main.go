// Command dist builds what people download: for each system a static binary in an
// archive, what each is made of, and the checksums of all.
//
//	go run ./cmd/marvin/testdata/dist -version 0.1.0 -with share -out dist
//
// The same sources give the same bytes wherever they lie and whenever they are built:
// paths are trimmed, files stand in their order, and every time in an archive is that of
// SOURCE_DATE_EPOCH, or of the commit.
//
// Decided against goreleaser and syft: two programs to install, besides a third that collects
// licenses. This one needs Go.
package main

import (
	"cmp"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// release is one run.
type release struct {
	version, pkg, out string
	with              string // a directory whose files go into each archive
	time              time.Time
	sums              []string
}

func main() {
	var r release
	flag.StringVar(&r.version, "version", "", "what the program says of itself")
	flag.StringVar(&r.pkg, "package", "./cmd/marvin", "the program")
	flag.StringVar(&r.with, "with", "", "a directory whose files go into each archive, below share")
	flag.StringVar(&r.out, "out", "dist", "where the archives go")
	targets := flag.String("targets", "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64", "systems and processors")
	flag.Parse()
	if err := r.build(strings.Split(*targets, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func (r *release) build(targets []string) (err error) {
	if r.version == "" || strings.ContainsAny(r.version, "/ \t\n'\"") {
		return fmt.Errorf("-version %q is no version; try make dist VERSION=0.1.0", r.version)
	}
	if r.time, err = sourceTime(); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	for _, target := range targets {
		if err := r.one(target); err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
	}
	slices.SortFunc(r.sums, func(a, b string) int { return cmp.Compare(a[66:], b[66:]) })
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(strings.Join(r.sums, "")), 0o644)
}

// sourceTime is when the sources were last changed, in whole even seconds, which is what
// a zip archive can say.
func sourceTime() (time.Time, error) {
	said := os.Getenv("SOURCE_DATE_EPOCH")
	if said == "" {
		out, err := exec.Command("git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("no commit to take the time of; set SOURCE_DATE_EPOCH: %w", err)
		}
		said = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(said, 10, 64)
	if err != nil || seconds < 315532800 { // 1980, before which zip knows no time
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH=%q is no time after 1980, in seconds since 1970", said)
	}
	return time.Unix(seconds&^1, 0).UTC(), nil
}

// one builds for one system: the archive and its bill of materials.
func (r *release) one(target string) error {
	system, processor, ok := strings.Cut(target, "/")
	if !ok {
		return fmt.Errorf("is not system/processor, such as linux/arm64")
	}
	name := "marvin-" + r.version + "-" + strings.Replace(system, "darwin", "macos", 1) + "-" + processor
	place, err := os.MkdirTemp("", "marvin-dist")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(place) }()
	program := filepath.Join(place, "marvin")
	if system == "windows" {
		program += ".exe"
	}
	if err := r.compile(program, system, processor); err != nil {
		return err
	}
	parts, err := readParts(program)
	if err != nil {
		return err
	}
	licenses, err := parts.licenses()
	if err != nil {
		return err
	}
	files, err := r.files(program, licenses)
	if err != nil {
		return err
	}
	archive, write := name+".tar.gz", writeTar
	if system == "windows" {
		archive, write = name+".zip", writeZip
	}
	content, err := write(name, files, r.time)
	if err != nil {
		return err
	}
	bill, err := parts.bill(name, r.version, r.time, content)
	if err != nil {
		return err
	}
	return cmp.Or(r.put(archive, content), r.put(name+".cdx.json", bill))
}

func (r *release) compile(program, system, processor string) error {
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid= -X main.version="+r.version, "-o", program, r.pkg)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor, "GOFLAGS=", "GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

func (r *release) put(name string, content []byte) error {
	r.sums = append(r.sums, fmt.Sprintf("%x  %s\n", sha256.Sum256(content), name))
	fmt.Printf("%10d  %s\n", len(content), name)
	return os.WriteFile(filepath.Join(r.out, name), content, 0o644)
}

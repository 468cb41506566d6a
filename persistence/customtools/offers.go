package customtools

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"marvin/persistence/internal/store"
	"marvin/persistence/projects"
)

// ProjectDir is the directory of a project's tools, relative to the project.
const ProjectDir = ".marvin/tools"

// Limits for the folder of a project's tool, and for the number of such tools.
const (
	mostOfferedTools = 32
	mostToolFiles    = 200 // including directories
	mostToolBytes    = 1 << 20
)

// ProjectTools represents the tools of one project.
type ProjectTools struct {
	Home *store.Home
	Dir  string // "" means no project
}

// Offer is a tool that a project offers. Before acceptance, Tool.Dir is the tool's folder in the
// project. After acceptance, Tool.Dir is the accepted copy, which no command can change.
type Offer struct {
	Folder   string // name of the folder
	Tool     Tool
	Hash     string // hash of all names, modes and contents in the folder
	Accepted bool   // set if the user accepted the current content

	entries []toolEntry
}

type toolEntry struct {
	name    string // slash-separated path, relative to the folder
	mode    fs.FileMode
	content []byte
}

// acceptedTool returns a tool's key in the map of accepted extensions. The prefix prevents a
// collision with the name of a server.
func acceptedTool(folder string) string { return "tools:" + folder }

// Offers returns the project's valid tools, including tools that the user has not accepted. It
// returns an error for each invalid tool.
func (b ProjectTools) Offers() (offers []Offer, problems []error) {
	if b.Dir == "" {
		return nil, nil
	}
	root, err := openProjectTools(b.Dir)
	if err != nil {
		return nil, []error{err}
	}
	if root == nil {
		return nil, nil
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, []error{fmt.Errorf("%s: %w", ProjectDir, err)}
	}
	entries = slices.DeleteFunc(entries, func(entry fs.DirEntry) bool { return strings.HasPrefix(entry.Name(), ".") })
	if len(entries) > mostOfferedTools {
		problems = append(problems, fmt.Errorf("%s has more than %d folders; the rest is left out", ProjectDir, mostOfferedTools))
		entries = entries[:mostOfferedTools]
	}
	known, err := projects.OffersOf(b.Home).Servers(b.Dir)
	if err != nil {
		problems = append(problems, err)
	}
	for _, entry := range entries {
		if entry.Type().IsRegular() {
			continue // a file, such as a README, is not a tool
		}
		offer, err := readToolOffer(root, entry.Name(), filepath.Join(b.Dir, ProjectDir, entry.Name()))
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if known[acceptedTool(offer.Folder)] == offer.Hash {
			kept := b.copy(offer.Hash, offer.Folder)
			if info, err := os.Lstat(kept); err == nil && info.IsDir() {
				offer.Accepted, offer.Tool.Dir = true, kept
			}
		}
		offers = append(offers, offer)
	}
	return offers, problems
}

// CheckAccepted returns an error if the user has revoked the acceptance of a tool, or if the tool's
// folder has changed since the acceptance.
func (b ProjectTools) CheckAccepted(offer Offer) error {
	known, err := projects.OffersOf(b.Home).Servers(b.Dir)
	if err != nil {
		return err
	}
	changed := fmt.Errorf("%s of this project has changed since the user accepted it, so it is off; tell the user to read %s and to run marvin tool accept %[1]s", offer.Tool.Name, path.Join(ProjectDir, offer.Folder))
	if known[acceptedTool(offer.Folder)] != offer.Hash {
		return changed
	}
	root, err := openProjectTools(b.Dir)
	if err != nil || root == nil {
		return changed
	}
	defer root.Close()
	if now, err := readToolOffer(root, offer.Folder, offer.Folder); err != nil || now.Hash != offer.Hash {
		return changed
	}
	return nil
}

// openProjectTools opens ProjectDir below dir. It follows no link below dir, and returns nil if the
// directory is missing.
func openProjectTools(dir string) (*os.Root, error) {
	top, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil // reported elsewhere
	}
	defer top.Close()
	for _, name := range []string{path.Dir(ProjectDir), ProjectDir} {
		info, err := top.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		case !info.IsDir():
			return nil, fmt.Errorf("%s is not a directory but %s; Marvin reads a project's tools only from a directory inside the project", name, kindOf(info.Mode()))
		}
	}
	return top.OpenRoot(ProjectDir)
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode.IsRegular():
		return "a file"
	}
	return "something else (" + mode.Type().String() + ")"
}

// readToolOffer reads a whole folder once, so that the hash, the description and the copy come from
// the same bytes.
func readToolOffer(tools *os.Root, folder, shown string) (Offer, error) {
	info, err := tools.Lstat(folder)
	if err != nil {
		return Offer{}, fmt.Errorf("%s: %w", shown, err)
	}
	if !info.IsDir() {
		return Offer{}, fmt.Errorf("%s is %s; a project's tool must be a directory", shown, kindOf(info.Mode()))
	}
	root, err := tools.OpenRoot(folder)
	if err != nil {
		return Offer{}, fmt.Errorf("%s: %w", shown, err)
	}
	defer root.Close()
	offer := Offer{Folder: folder}
	var size int64
	err = fs.WalkDir(root.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		entry, err := readToolEntry(root, name, mostToolBytes-size)
		size += int64(len(entry.content))
		offer.entries = append(offer.entries, entry)
		if len(offer.entries) > mostToolFiles {
			return fmt.Errorf("it has more than %d files and directories", mostToolFiles)
		}
		return err
	})
	if err != nil {
		return offer, fmt.Errorf("%s: %w; it is not offered", shown, err)
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q\n", folder)
	var manifest []byte
	for _, entry := range offer.entries { // sorted by name
		fmt.Fprintf(sum, "%q %s %d\n%s", entry.name, entry.mode, len(entry.content), entry.content)
		if entry.name == Manifest {
			manifest = entry.content
		}
	}
	offer.Hash = hex.EncodeToString(sum.Sum(nil))
	offer.Tool, err = parseTool(shown, manifest)
	return offer, err
}

func readToolEntry(root *os.Root, name string, room int64) (toolEntry, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return toolEntry{}, err
	}
	entry := toolEntry{name: name, mode: info.Mode()}
	if info.IsDir() {
		return entry, nil
	}
	if !info.Mode().IsRegular() {
		return entry, fmt.Errorf("%s is %s, and only files and directories are allowed", name, kindOf(info.Mode()))
	}
	file, _, err := store.OpenRegular(root.OpenFile, name)
	if err != nil {
		return entry, err
	}
	if file == nil {
		return entry, fmt.Errorf("%s went away", name)
	}
	defer file.Close()
	entry.content, err = io.ReadAll(io.LimitReader(file, room+1))
	if err == nil && int64(len(entry.content)) > room {
		err = fmt.Errorf("it has more than %d KB", mostToolBytes>>10)
	}
	return entry, err
}

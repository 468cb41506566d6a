package customtools

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"marvin/persistence/internal/store"
	"marvin/persistence/projects"
)

// copiesDir returns the directory that holds the copies of the project's accepted tools. The
// directory is below the directory of the user's own tools. Commands that a model runs can neither
// see nor change the copies.
func (b ProjectTools) copiesDir() string {
	sum := sha256.Sum256([]byte(projects.RealDir(b.Dir)))
	return filepath.Join(Dir(b.Home), ".accepted", hex.EncodeToString(sum[:12]))
}

func (b ProjectTools) copy(hash, folder string) string {
	return filepath.Join(b.copiesDir(), hash, folder)
}

// Accept copies the folder of an offered tool and records that the user accepted the tool. Marvin
// then runs the copy.
func (b ProjectTools) Accept(offer Offer) error {
	if b.Home.State == "" {
		return store.ErrNoHome
	}
	kept := filepath.Dir(b.copy(offer.Hash, offer.Folder))
	above := filepath.Dir(kept)
	if err := os.MkdirAll(above, 0o700); err != nil {
		return fmt.Errorf("accept the tool: %w", err)
	}
	made, err := os.MkdirTemp(above, ".new-")
	if err != nil {
		return fmt.Errorf("accept the tool: %w", err)
	}
	defer os.RemoveAll(made)
	err = offer.write(filepath.Join(made, offer.Folder))
	if err == nil {
		err = os.RemoveAll(kept) // an earlier copy has the same hash and thus the same content
	}
	if err == nil {
		err = os.Rename(made, kept)
	}
	if err == nil {
		err = projects.OffersOf(b.Home).Accept(b.Dir, acceptedTool(offer.Folder), offer.Hash)
	}
	if err != nil {
		return fmt.Errorf("accept the tool: %w", err)
	}
	return b.dropCopies()
}

// write creates a directory with the files of the offered folder.
func (o Offer) write(to string) error {
	if err := os.Mkdir(to, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, entry := range o.entries {
		if entry.mode.IsDir() {
			err = errors.Join(err, root.Mkdir(entry.name, 0o700))
			continue
		}
		mode := entry.mode.Perm()&0o500 | 0o400
		err = errors.Join(err, root.WriteFile(entry.name, entry.content, mode), root.Chmod(entry.name, mode))
	}
	return err
}

// Forget revokes the acceptance of a project's tool and reports whether the tool was accepted. The
// tool's folder need not exist.
func (b ProjectTools) Forget(folder string) (bool, error) {
	known, err := projects.OffersOf(b.Home).Servers(b.Dir)
	if err != nil {
		return false, err
	}
	if known[acceptedTool(folder)] == "" {
		return false, nil
	}
	if err := projects.OffersOf(b.Home).Refuse(b.Dir, acceptedTool(folder)); err != nil {
		return false, err
	}
	return true, b.dropCopies()
}

// dropCopies removes copies that no accepted tool uses.
func (b ProjectTools) dropCopies() error {
	known, err := projects.OffersOf(b.Home).Servers(b.Dir)
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, hash := range known {
		wanted[hash] = true
	}
	copies, err := os.ReadDir(b.copiesDir())
	for _, kept := range copies {
		if !wanted[kept.Name()] {
			err = errors.Join(err, os.RemoveAll(filepath.Join(b.copiesDir(), kept.Name())))
		}
	}
	return err
}

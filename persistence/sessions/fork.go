package sessions

import (
	"errors"

	"marvin/persistence/undolog"
)

// Fork copies the branch that ends at leaf, or the current branch if leaf is 0, into a new session.
// The old session can be in use.
func (s Store) Fork(id string, leaf int64) (newID string, err error) {
	header, branch, err := s.Branch(id, leaf, nil)
	if err != nil {
		return "", err
	}
	at := int64(0)
	if len(branch) > 0 {
		at = branch[len(branch)-1].ID
	}
	fork, err := s.Create(Header{Dir: header.Dir, Profile: header.Profile, Forked: &ForkedAt{Session: header.ID, Entry: at}})
	if err != nil {
		return "", err
	}
	places := map[int64]int64{} // maps old IDs to new IDs; the new IDs start at 1
	for i := range branch {
		places[branch[i].ID] = int64(i + 1)
	}
	for i := range branch {
		branch[i].Of = places[branch[i].Of]
		if about := branch[i].About; about != nil && about.Name != "" { // only the original session keeps the name
			renamed := *about
			renamed.Name = ""
			branch[i].About = &renamed
		}
	}
	if len(branch) > 0 {
		until := branch[len(branch)-1].At
		err = errors.Join(fork.Append(true, branch...), undolog.Copy(s.home, id, fork.header.ID, until))
	}
	return fork.header.ID, errors.Join(err, fork.Close())
}

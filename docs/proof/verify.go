// Verifies the transparency log of a server with an independent implementation: the packages of Go's checksum
// database (golang.org/x/mod/sumdb/note and tlog). With Go and these packages installed, as on Debian by
// "apt-get install golang golang-golang-x-mod-dev":
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run docs/proof/verify.go https://reviews.example.com
//
// It opens the checkpoint with the served key, reads tiles and entries, checks the root, the inclusion of
// every entry, the consistency with trees of older sizes, and the proofs that the server gives of reviews.
package main

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const tileHeight = 8

// tiles reads tiles of the server.
type tiles struct{ base string }

func (t tiles) Height() int { return tileHeight }

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		// Go's paths name the height, those of tlog-tiles do not.
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		all = append(all, get(t.base+"/log/"+path))
	}
	return all, nil
}

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func get(url string) []byte {
	answer, err := http.Get(url)
	check(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	check(err)
	if answer.StatusCode != 200 {
		log.Fatalf("%s: status %d", url, answer.StatusCode)
	}
	return body
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func hashOf(text string) (hash tlog.Hash) {
	bytes, err := base64.StdEncoding.DecodeString(text)
	check(err)
	copy(hash[:], bytes)
	return hash
}

// entriesOf reads all entries of a log.
func entriesOf(base string, size int64) (entries [][]byte) {
	for index := int64(0); index*256 < size; index++ {
		width := size - index*256
		if width > 256 {
			width = 256
		}
		tile := tlog.Tile{H: tileHeight, L: 0, N: index, W: int(width)}
		bundle := get(base + "/log/" + strings.Replace(tile.Path(), "tile/8/0/", "tile/entries/", 1))
		for len(bundle) > 0 {
			length := int(binary.BigEndian.Uint16(bundle))
			entries = append(entries, bundle[2:2+length])
			bundle = bundle[2+length:]
		}
	}
	return entries
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: verify.go URL")
	}
	base := strings.TrimRight(os.Args[1], "/")
	var verifiers []note.Verifier
	for _, line := range strings.Fields(string(get(base + "/log/key"))) {
		verifier, err := note.NewVerifier(line)
		check(err)
		verifiers = append(verifiers, verifier)
	}
	opened, err := note.Open(get(base+"/log/checkpoint"), note.VerifierList(verifiers...))
	check(err)
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	tree := tlog.Tree{N: size, Hash: hashOf(lines[2])}
	fmt.Printf("%s: %d entries, %d signatures verified\n", lines[0], size, len(opened.Sigs))

	// The reader checks every tile against the root.
	reader := tlog.TileHashReader(tree, tiles{base})
	root, err := tlog.TreeHash(size, reader)
	check(err)
	if root != tree.Hash {
		log.Fatal("the tiles do not lead to the root")
	}
	entries := entriesOf(base, size)
	if int64(len(entries)) != size {
		log.Fatalf("%d entries, expected %d", len(entries), size)
	}
	step := size/200 + 1
	for index := int64(0); index < size; index++ {
		hashes, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, index)})
		check(err)
		if hashes[0] != tlog.RecordHash(entries[index]) {
			log.Fatalf("entry %d does not have the hash of its tile", index)
		}
		if index%step != 0 {
			continue
		}
		proof, err := tlog.ProveRecord(size, index, reader)
		check(err)
		check(tlog.CheckRecord(proof, size, tree.Hash, index, tlog.RecordHash(entries[index])))
		if old := index + 1; old < size {
			oldRoot, err := tlog.TreeHash(old, reader)
			check(err)
			proof, err := tlog.ProveTree(size, old, reader)
			check(err)
			check(tlog.CheckTree(proof, size, tree.Hash, old, oldRoot))
		}
	}
	fmt.Println("root, tiles and entries fit; sampled proofs of inclusion and consistency verify")
	checkProofs(base, verifiers)
}

// checkProofs verifies the proofs that the server itself gives of its newest reviews.
func checkProofs(base string, verifiers []note.Verifier) {
	var dataset struct{ Reviews []struct{ ID string } }
	check(json.Unmarshal(get(base+"/api/reviews/search?limit=50"), &dataset))
	for _, review := range dataset.Reviews {
		var served struct {
			Entry          string
			Index          int64
			InclusionProof []string `json:"inclusion_proof"`
			Checkpoint     string
		}
		check(json.Unmarshal(get(base+"/api/reviews/"+review.ID+"/proof"), &served))
		opened, err := note.Open([]byte(served.Checkpoint), note.VerifierList(verifiers...))
		check(err)
		lines := strings.Split(opened.Text, "\n")
		size, err := strconv.ParseInt(lines[1], 10, 64)
		check(err)
		var proof tlog.RecordProof
		for _, hash := range served.InclusionProof {
			proof = append(proof, hashOf(hash))
		}
		leaf := tlog.RecordHash([]byte(served.Entry))
		check(tlog.CheckRecord(proof, size, hashOf(lines[2]), served.Index, leaf))
	}
	fmt.Printf("the proofs of %d reviews verify\n", len(dataset.Reviews))
}

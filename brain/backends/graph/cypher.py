"""Every Cypher text of the product, under its name. Values come as parameters only, never as text.

The picture, as Neo4j's own browser shows it:

    (:Entity {key, brain, entity_key, name, type, aliases, descriptions, description_sources, names})
    (:Entity)-[:RELATES {key, relation_key, predicate, descriptions, sources, chunks}]->(:Entity)
    (:Entity)-[:MENTIONED_IN]->(:Chunk {key, brain, ref, source, ordinal, page})-[:PART_OF]->(:Source)
    (:Chunk)-[:LINKS {kind}]->(:Chunk)
    (:Brain {id, fence})

``key`` is a hash of brain and key: many brains share the database, and one unique constraint on one short property
is what the Community edition offers. ``names`` are name and aliases folded, a line each, to be searched.
A relation may be written before its ends and an entity before its chunks: the missing end is made with nothing
but its key, and its own write fills it. What has no ``name`` is not shown to anybody.
"""

from __future__ import annotations

SCHEMA = (
    "CREATE CONSTRAINT entity_key IF NOT EXISTS FOR (n:Entity) REQUIRE n.key IS UNIQUE",
    "CREATE CONSTRAINT chunk_key IF NOT EXISTS FOR (n:Chunk) REQUIRE n.key IS UNIQUE",
    "CREATE CONSTRAINT source_key IF NOT EXISTS FOR (n:Source) REQUIRE n.key IS UNIQUE",
    "CREATE CONSTRAINT brain_id IF NOT EXISTS FOR (n:Brain) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT relates_key IF NOT EXISTS FOR ()-[r:RELATES]-() REQUIRE r.key IS UNIQUE",
    "CREATE INDEX entity_brain IF NOT EXISTS FOR (n:Entity) ON (n.brain)",
    "CREATE INDEX chunk_brain IF NOT EXISTS FOR (n:Chunk) ON (n.brain)",
    "CREATE INDEX chunk_source IF NOT EXISTS FOR (n:Chunk) ON (n.brain, n.source)",
    "CREATE INDEX source_brain IF NOT EXISTS FOR (n:Source) ON (n.brain)",
    "CREATE TEXT INDEX entity_names IF NOT EXISTS FOR (n:Entity) ON (n.names)",
    # Two letters at a time: finds 헌법 inside 헌법재판소, where the text index needs three.
    "CREATE FULLTEXT INDEX entity_text IF NOT EXISTS FOR (n:Entity) ON EACH [n.names] "
    "OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk'}}",
)
AWAIT_SCHEMA = "CALL db.awaitIndexes(60)"

PING = "RETURN 1"

# --- writing --------------------------------------------------------------------------------------------------

# The first SET takes the lock, so that the fence is read after every writer before.
TAKE_FENCE = """
MERGE (b:Brain {id: $brain})
SET b.asked = $fence
WITH b, coalesce(b.fence, 0) AS seen
SET b.fence = CASE WHEN seen > $fence THEN seen ELSE $fence END
REMOVE b.asked
RETURN seen
"""

DELETE_RELATIONS = """
UNWIND $keys AS key
MATCH ()-[r:RELATES {key: key}]->()
DELETE r
"""

DELETE_ENTITIES = """
UNWIND $keys AS key
MATCH (e:Entity {key: key})
DETACH DELETE e
"""

DELETE_CHUNKS = """
UNWIND $keys AS key
MATCH (c:Chunk {key: key})
DETACH DELETE c
"""

DELETE_SOURCES = """
UNWIND $keys AS key
MATCH (s:Source {key: key})
DETACH DELETE s
"""

DELETE_CHUNKS_OF_SOURCES = """
UNWIND $sources AS source
MATCH (c:Chunk {brain: $brain, source: source})
DETACH DELETE c
"""

WRITE_SOURCES = """
UNWIND $rows AS row
MERGE (s:Source {key: row.key})
SET s = row.properties
"""

WRITE_CHUNKS = """
UNWIND $rows AS row
MERGE (c:Chunk {key: row.key})
SET c = row.properties
WITH row, c
MERGE (s:Source {key: row.source})
ON CREATE SET s.brain = $brain, s.source_id = row.properties.source
MERGE (c)-[:PART_OF]->(s)
"""

DELETE_OLD_LINKS = """
UNWIND $rows AS row
MATCH (c:Chunk {key: row.key})-[l:LINKS]->(t:Chunk)
WHERE NOT l.kind + ' ' + t.key IN row.links
DELETE l
"""

WRITE_LINKS = """
UNWIND $links AS link
MATCH (c:Chunk {key: link.start})
MERGE (t:Chunk {key: link.end})
ON CREATE SET t.brain = $brain, t.ref = link.ref
MERGE (c)-[:LINKS {kind: link.kind}]->(t)
"""

WRITE_ENTITIES = """
UNWIND $rows AS row
MERGE (e:Entity {key: row.key})
SET e = row.properties
"""

# A name that thousands of passages mention changes with each new one: only the difference is written.
MENTIONS_NOW = """
UNWIND $keys AS key
MATCH (e:Entity {key: key})-[:MENTIONED_IN]->(c:Chunk)
RETURN key AS entity, collect(c.key) AS chunks
"""

DELETE_MENTIONS = """
UNWIND $mentions AS mention
MATCH (e:Entity {key: mention.entity})-[m:MENTIONED_IN]->(c:Chunk {key: mention.chunk})
DELETE m
"""

WRITE_MENTIONS = """
UNWIND $mentions AS mention
MATCH (e:Entity {key: mention.entity})
MERGE (c:Chunk {key: mention.chunk})
ON CREATE SET c.brain = $brain, c.ref = mention.ref
MERGE (e)-[:MENTIONED_IN]->(c)
"""

WRITE_RELATIONS = """
UNWIND $rows AS row
MERGE (s:Entity {key: row.subject})
ON CREATE SET s.brain = $brain, s.entity_key = row.subject_key
MERGE (o:Entity {key: row.object})
ON CREATE SET o.brain = $brain, o.entity_key = row.object_key
MERGE (s)-[r:RELATES {key: row.key}]->(o)
SET r = row.properties
"""

# --- forgetting a brain, a part at a time so that no transaction outgrows the server's memory -----------------

FORGET_ENTITIES = """
MATCH (n:Entity {brain: $brain})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted
"""

FORGET_CHUNKS = """
MATCH (n:Chunk {brain: $brain})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted
"""

FORGET_SOURCES = """
MATCH (n:Source {brain: $brain})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS deleted
"""

FORGET_BRAIN = """
MATCH (b:Brain {id: $brain})
DELETE b
RETURN 0 AS deleted
"""

# --- asking ---------------------------------------------------------------------------------------------------

KNOWN = """
UNWIND $keys AS key
MATCH (e:Entity {key: key})
WHERE e.name IS NOT NULL
RETURN e.key AS key
"""

NEXT_TO = """
UNWIND $keys AS key
MATCH (e:Entity {key: key})-[:RELATES]-(n:Entity)
WHERE n.name IS NOT NULL AND NOT n.key IN $near
WITH DISTINCT n
RETURN n.key AS key
ORDER BY n.entity_key
LIMIT $limit
"""

ENTITIES = """
UNWIND $keys AS key
MATCH (e:Entity {key: key})
RETURN properties(e) AS entity, [(e)-[:MENTIONED_IN]->(c:Chunk) | c.ref] AS chunks
"""

RELATIONS_AMONG = """
UNWIND $keys AS key
MATCH (s:Entity {key: key})-[r:RELATES]->(o:Entity)
WHERE o.key IN $keys
RETURN properties(r) AS relation, s.entity_key AS subject, o.entity_key AS object
"""

NAMED = """
MATCH (e:Entity)
WHERE e.names CONTAINS $longest AND e.brain = $brain AND all(word IN $words WHERE e.names CONTAINS word)
RETURN e.key AS key, e.entity_key AS entity_key, e.name AS name, e.type AS type, e.aliases AS aliases
LIMIT $limit
"""

NAMED_BY_PAIRS = """
CALL db.index.fulltext.queryNodes('entity_text', $phrases) YIELD node AS e
WHERE e.brain = $brain AND all(word IN $words WHERE e.names CONTAINS word)
RETURN e.key AS key, e.entity_key AS entity_key, e.name AS name, e.type AS type, e.aliases AS aliases
LIMIT $limit
"""

DUMP_ENTITIES = """
MATCH (e:Entity {brain: $brain})
RETURN properties(e) AS entity, [(e)-[:MENTIONED_IN]->(c:Chunk) | c.ref] AS chunks
"""

DUMP_RELATIONS = """
MATCH (s:Entity {brain: $brain})-[r:RELATES]->(o:Entity)
RETURN properties(r) AS relation, s.entity_key AS subject, o.entity_key AS object
"""

DUMP_CHUNKS = """
MATCH (c:Chunk {brain: $brain})
RETURN properties(c) AS chunk, [(c)-[l:LINKS]->(t:Chunk) | [l.kind, t.ref]] AS links
"""

DUMP_SOURCES = """
MATCH (s:Source {brain: $brain})
RETURN properties(s) AS source
"""

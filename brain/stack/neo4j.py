"""Neo4j Community, from Maven Central."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

from django.utils.translation import gettext_noop as _
from neo4j import GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from brain.stack.programs import Command, ProgramMissing, Running, free_port, launch, secret

VERSION = "5.26.12"
_NO_JAVA = _(
    "Neo4j needs Java 17, which is not installed here. Install it, on Debian with: "
    "apt-get install openjdk-17-jre-headless"
)
_NO_MAVEN = _(
    "Neo4j is fetched with Maven, which is not installed here. Install it, on Debian with: apt-get install maven. "
    'Or put the jars of Neo4j %(version)s into "%(folder)s".'
)
_POM = f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>brain</groupId><artifactId>stack</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{VERSION}</version>
  </dependency></dependencies>
</project>
"""
# Keep-alive: the driver learns from it how long silence may last; by default it would wait two minutes for a server
# that hangs.
_CONFIG = """server.bolt.listen_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
dbms.usage_report.enabled=false
server.bolt.connection_keep_alive=10s
server.bolt.connection_keep_alive_probes=2
server.memory.heap.initial_size=256m
server.memory.heap.max_size=512m
server.memory.pagecache.size=128m
db.tx_log.rotation.retention_policy=100M size
"""
# The server looks into these packages of the Java runtime, which Java closes by default.
_OPENS = [
    f"--add-opens={name}=ALL-UNNAMED" for name in ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch")
]


class Neo4j:
    name = "neo4j"

    def __init__(self, jars: Path | None = None) -> None:
        """``jars``: where the program is kept, beside other things that can be fetched again."""
        self._jars = (jars or Path.home() / ".cache" / "brain") / f"neo4j-{VERSION}"

    def require(self) -> None:
        if not shutil.which("java"):
            raise ProgramMissing(_NO_JAVA)
        if not self._fetched and not shutil.which("mvn"):
            raise ProgramMissing(_NO_MAVEN, version=VERSION, folder=str(self._jars))

    @property
    def _fetched(self) -> bool:
        return (self._jars / f"neo4j-{VERSION}.jar").exists()

    def fetch(self) -> None:
        """The server's 214 jars, 116 MB: 23 s at the first time."""
        self.require()
        if self._fetched:
            return
        partial = self._jars.with_name(f"{self._jars.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        (partial / "pom.xml").write_text(_POM, encoding="utf-8")
        argv = ["mvn", "-q", "-B", "dependency:copy-dependencies", "-DincludeScope=runtime", "-DoutputDirectory=."]
        Command(argv, partial).run(partial / "maven.log", "Maven")
        partial.rename(self._jars)

    def start(self, home: Path, *, port: int = 0) -> Running:
        """``port``: the one to come back on, after a stop."""
        self.fetch()
        for name in ("conf", "data", "logs", "run", "plugins", "import", "licenses"):
            (home / name).mkdir(parents=True, exist_ok=True)
        port = port or free_port()
        (home / "conf" / "neo4j.conf").write_text(_CONFIG.format(port=port), encoding="utf-8")
        password = self._password(home)
        url = f"bolt://neo4j:{password}@127.0.0.1:{port}"
        argv = self._java("-Xmx512m", "org.neo4j.server.CommunityEntryPoint")
        command = Command([*argv, f"--home-dir={home}", f"--config-dir={home / 'conf'}"], home)
        return launch(self.name, command, home, url, lambda: _answers(port, password), seconds=120)

    def _password(self, home: Path) -> str:
        """Set before the first start, so that the server never runs with the default one."""
        if not (home / "data" / "dbms").exists():
            password = secret(home, lambda: secrets.token_urlsafe(24))
            argv = self._java("-Xmx128m", "org.neo4j.cli.AdminTool", "dbms", "set-initial-password", "--", password)
            env = {"NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
            Command(argv, home, env).run(home / f"{self.name}.log", self.name)
        return secret(home, lambda: "")

    def _java(self, memory: str, *argv: str) -> list[str]:
        return ["java", memory, *_OPENS, "-cp", f"{self._jars}/*", *argv]


def _answers(port: int, password: str) -> bool:
    with GraphDatabase.driver(f"bolt://127.0.0.1:{port}", auth=("neo4j", password)) as driver:
        try:
            driver.verify_connectivity()
        except (DriverError, Neo4jError):
            return False
    return True

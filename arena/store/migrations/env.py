"""Alembic's environment: runs on the connection that `arena.store.schema` hands over."""

from alembic import context

from arena.store.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
